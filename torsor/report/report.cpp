#include "torsor/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string_view>
#include <utility>

#include "torsor/report/page_columns.hpp"
#include "torsor/report/quiet_curves.hpp"
#include "torsor/report/report_style.hpp"
#include "torsor/report/table_fit.hpp"
#include "torsor/text/html.hpp"
#include "torsor/text/json.hpp"

namespace torsor {

namespace {

const char* tone_class(Tone tone) {
  switch (tone) {
    case Tone::good: return "good";
    case Tone::warning: return "warning";
    case Tone::bad: return "bad";
    case Tone::plain: break;
  }
  return "plain";
}

// numbers figures and tables as they come; page and data walk the report with one counter each and so agree
struct Numbering {
  int figures = 0;
  int tables = 0;
};

struct BlockWriter {
  std::ostream& out;
  Numbering& numbers;
  std::string_view verdict;

  void operator()(const Paragraph& paragraph) const {
    // on top of the page already
    if (!paragraph.text.empty() && verdict.find(paragraph.text) != std::string_view::npos) return;
    if (paragraph.tone == Tone::plain)
      out << "<p>";
    else
      out << "<p class='notice " << tone_class(paragraph.tone) << "'>";
    out << escape_sentence(paragraph.text) << "</p>\n";
  }
  // line by line, since what does not fit goes on in the next line, indented
  void operator()(const Preformatted& block) const {
    out << "<pre>";
    for (std::string_view rest = block.text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      out << "<span>" << escape_html(rest.substr(0, end)) << "\n</span>";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    out << "</pre>\n";
  }
  void operator()(const TextTable& table) const {
    constexpr std::size_t short_table = 10;  // rows that stay together on paper
    const int number = ++numbers.tables;
    const TableFit fit = fit_table(table);
    const bool is_short = table.rows.size() * std::max(fit.parts.size(), std::size_t{1}) <= short_table;
    out << fmt::format(
        "<figure class='table{2}{3}' id='table-{0}'>\n<figcaption><b>Table {0}</b> {1}</figcaption>\n"
        "<div class='scroll screen{4} paper{5}{6}'>\n",
        number, escape_sentence(table.caption), fit.broad ? " broad" : "", is_short ? " short" : "", fit.screen,
        fit.paper, fit.parts.empty() ? "" : " on-screen");
    TextTable body = table;
    body.caption.clear();
    out << to_html(body) << "</div>\n";
    for (std::size_t k = 0; k < fit.parts.size(); ++k)
      out << fmt::format(
          "<div class='on-paper paper{}{}'>\n{}</div>\n", fit.paper, table.rows.size() <= short_table ? " short" : "",
          to_html(part_of(table, fit.parts[k], k + 1 < fit.parts.size() ? fit.parts[k + 1] : table.columns.size())));
    out << "</figure>\n";
  }
  void operator()(const Figure& figure) const {
    const int number = ++numbers.figures;
    std::visit(
        [&](const auto& kind) {
          out << fmt::format(
              "<figure class='figure' id='figure-{0}'>\n<figcaption><b>Figure {0}</b> {1}</figcaption>\n", number,
              escape_sentence(kind.title));
          write_drawing(kind, out);
          if (!kind.note.empty()) out << "<p class='remark'>" << escape_sentence(kind.note) << "</p>\n";
          for (const std::string& note : drawing_notes(kind))
            out << "<p class='remark'>" << escape_html(note) << "</p>\n";
          out << "</figure>\n";
        },
        figure);
  }
};

void write_highlights(const std::vector<Highlight>& highlights, std::ostream& out) {
  if (highlights.empty()) return;
  // rows of equal length, as far as that goes: five are three and two, not four and one
  const std::size_t rows = (highlights.size() + 3) / 4, columns = (highlights.size() + rows - 1) / rows;
  out << fmt::format("<dl class='highlights by{}'>\n", columns);
  for (const Highlight& h : highlights) {
    out << fmt::format("<div class='{}'><dt>{}</dt><dd>{}", tone_class(h.tone), escape_html(h.label),
                       escape_html(h.value));
    if (!h.unit.empty()) out << " <small>" << escape_html(h.unit) << "</small>";
    out << "</dd>";
    if (!h.remark.empty()) out << "<dd class='remark'>" << escape_running_text(h.remark) << "</dd>";
    out << "</div>\n";
  }
  out << "</dl>\n";
}

void write_data_block(const Report& report, std::ostream& out) {
  JsonWriter json(out, {.indent = 0, .inside_html = true});
  json.begin_object().field("format", 2).field("title", report.title).field("subtitle", report.subtitle);
  json.field("verdict", report.verdict.text);
  json.key("highlights").begin_array();
  for (const Highlight& h : report.highlights) {
    json.begin_object()
        .field("label", h.label)
        .field("value", h.value)
        .field("unit", h.unit)
        .field("remark", h.remark)
        .end_object();
  }
  json.end_array();

  Numbering numbers;
  PageColumns columns;
  json.key("figures").begin_array();
  for (const ReportSection& section : report.sections) {
    for (const ReportBlock& block : section.blocks) {
      const auto* figure = std::get_if<Figure>(&block);
      if (!figure) continue;
      json.begin_object()
          .field("id", fmt::format("figure-{}", ++numbers.figures))
          .field("section", section.heading)
          .key("figure");
      std::visit([&](const auto& kind) { write_data(kind, json, columns); }, *figure);
      json.end_object();
    }
  }
  json.end_array().key("columns");
  columns.write(json);
  json.key("tables").begin_array();
  for (const ReportSection& section : report.sections) {
    for (const ReportBlock& block : section.blocks) {
      const auto* table = std::get_if<TextTable>(&block);
      if (!table) continue;
      json.begin_object()
          .field("id", fmt::format("table-{}", ++numbers.tables))
          .field("section", section.heading)
          .key("table");
      write_data(*table, json);
      json.end_object();
    }
  }
  json.end_array().field("notes", json.notes()).end_object();
}

}  // namespace

ReportSection& ReportSection::text(std::string paragraph, Tone tone) {
  blocks.emplace_back(Paragraph{std::move(paragraph), tone});
  return *this;
}

ReportSection& ReportSection::code(std::string preformatted) {
  blocks.emplace_back(Preformatted{std::move(preformatted)});
  return *this;
}

ReportSection& ReportSection::table(TextTable table) {
  blocks.emplace_back(std::move(table));
  return *this;
}

ReportSection& ReportSection::figure(Figure figure) {
  if (auto* grid = std::get_if<PlotGrid>(&figure)) silence_noise(grid->plots);
  blocks.emplace_back(std::move(figure));
  return *this;
}

Report::Report(std::string title_, std::string subtitle_, std::string footer_)
    : title(std::move(title_)), subtitle(std::move(subtitle_)), footer(std::move(footer_)) {}

ReportSection& Report::section(std::string heading) {
  sections.push_back({std::move(heading), {}});
  return sections.back();
}

void write_html(const Report& report, std::ostream& out) {
  out << "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
         "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
         "<meta name='color-scheme' content='light dark'>\n"
         // the page promises the browser to load nothing
         "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "script-src 'unsafe-inline'\">\n"
      << "<title>" << escape_html(report.title) << "</title>\n<style>" << page_css() << plot_css() << view_css()
      << "</style>\n</head>\n<body>\n<main>\n";

  out << "<header>\n<h1>" << escape_html(report.title) << "</h1>\n";
  if (!report.subtitle.empty()) out << "<p class='subtitle'>" << escape_sentence(report.subtitle) << "</p>\n";
  out << "</header>\n";
  if (!report.verdict.text.empty())
    out << fmt::format("<p class='notice verdict {}'>{}</p>\n", tone_class(report.verdict.tone),
                       escape_sentence(report.verdict.text));
  write_highlights(report.highlights, out);

  // a short page needs no table of contents
  if (report.sections.size() > 3) {
    out << "<nav aria-label='Contents'>\n";
    for (std::size_t i = 0; i < report.sections.size(); ++i) {
      if (report.sections[i].heading.empty()) continue;
      out << fmt::format("<a href='#section-{}'>{}</a>\n", i + 1, escape_html(report.sections[i].heading));
    }
    out << "</nav>\n";
  }

  Numbering numbers;
  for (std::size_t i = 0; i < report.sections.size(); ++i) {
    const ReportSection& section = report.sections[i];
    out << fmt::format("<section id='section-{}'>\n", i + 1);
    if (!section.heading.empty()) out << "<h2>" << escape_html(section.heading) << "</h2>\n";
    for (const ReportBlock& block : section.blocks) std::visit(BlockWriter{out, numbers, report.verdict.text}, block);
    out << "</section>\n";
  }
  if (!report.footer.empty()) out << "<footer>" << escape_html(report.footer) << "</footer>\n";
  out << "</main>\n<script type='application/json' id='data'>";
  write_data_block(report, out);
  out << "</script>\n<script>" << viewer_script() << page_script() << "</script>\n</body>\n</html>\n";
}

}  // namespace torsor
