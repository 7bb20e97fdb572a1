// What the button beside a block copies: of a block that shows commands and what they print, the commands alone, ready to be
// pasted into a shell.
"use strict";

document.addEventListener("click", event => {
  const button = event.target.closest?.("[data-clipboard-target]");
  const code = button && document.querySelector(button.dataset.clipboardTarget);
  if (!code) return;
  const commands = [];
  let goes_on = false;
  for (const line of code.textContent.split("\n")) {
    if (line.startsWith("$ ")) commands.push(line.slice(2));
    else if (goes_on) commands.push(line);
    else continue;
    goes_on = line.endsWith("\\");
  }
  if (commands.length) button.dataset.clipboardText = commands.join("\n") + "\n";
}, true);
