#include "torsor/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string_view>
#include <utility>

#include "torsor/text/html.hpp"
#include "torsor/text/json.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/report/report_style.hpp"

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

// How much smaller a table has to be written so that it fits a width in pixels, when a letter takes so many of them: the steps
// of page_css(), 0 for as it is. Texts may break, so that only their first words count.
int table_step(const TextTable& table, double letter, double gap, double width, const std::array<double, 6>& steps) {
  constexpr std::size_t broken = 26;
  double wanted = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t longest = std::min(table.columns[c].name.size(), std::size_t{9});
    for (const TextTable::Row& row : table.rows) {
      if (c >= row.size()) continue;
      const auto* text = std::get_if<std::string>(&row[c]);
      const auto* number = std::get_if<double>(&row[c]);
      const std::size_t size = text     ? std::min(text->size(), broken)
                               : number ? format_number(*number, table.columns[c].digits).size()
                                        : 6;
      longest = std::max(longest, size);
    }
    wanted += letter * static_cast<double>(longest) + gap;
  }
  int step = 0;
  while (step + 1 < static_cast<int>(steps.size()) && steps[static_cast<std::size_t>(step)] * wanted > width) ++step;
  return step;
}

constexpr std::array<double, 6> screen_steps{1, 0.92, 0.84, 0.77, 0.71, 0.66}, paper_steps{1, 0.9, 0.8, 0.7, 0.6, 0.5};

// numbers figures and tables as they come; page and data walk the report with one counter each and so agree
struct Numbering {
  int figures = 0;
  int tables = 0;
};

struct BlockWriter {
  std::ostream& out;
  Numbering& numbers;

  void operator()(const Paragraph& paragraph) const {
    if (paragraph.tone == Tone::plain)
      out << "<p>";
    else
      out << "<p class='notice " << tone_class(paragraph.tone) << "'>";
    out << escape_html(paragraph.text) << "</p>\n";
  }
  void operator()(const Preformatted& block) const { out << "<pre>" << escape_html(block.text) << "</pre>\n"; }
  void operator()(const TextTable& table) const {
    const int number = ++numbers.tables;
    out << fmt::format(
        "<figure class='table' id='table-{0}'>\n<figcaption><b>Table {0}</b> {1}</figcaption>\n"
        "<div class='scroll screen{2} paper{3}'>\n",
        number, escape_html(table.caption), table_step(table, 8, 20, 940, screen_steps),
        table_step(table, 6.4, 15, 640, paper_steps));
    TextTable body = table;
    body.caption.clear();
    out << to_html(body) << "</div>\n</figure>\n";
  }
  void operator()(const Figure& figure) const {
    const int number = ++numbers.figures;
    std::visit(
        [&](const auto& kind) {
          out << fmt::format(
              "<figure class='figure' id='figure-{0}'>\n<figcaption><b>Figure {0}</b> {1}</figcaption>\n", number,
              escape_html(kind.title));
          write_drawing(kind, out);
          if (!kind.note.empty()) out << "<p class='remark'>" << escape_html(kind.note) << "</p>\n";
          for (const std::string& note : drawing_notes(kind))
            out << "<p class='remark'>" << escape_html(note) << "</p>\n";
          out << "</figure>\n";
        },
        figure);
  }
};

void write_highlights(const std::vector<Highlight>& highlights, std::ostream& out) {
  if (highlights.empty()) return;
  out << "<dl class='highlights'>\n";
  for (const Highlight& h : highlights) {
    out << fmt::format("<div class='{}'><dt>{}</dt><dd>{}", tone_class(h.tone), escape_html(h.label),
                       escape_html(h.value));
    if (!h.unit.empty()) out << " <small>" << escape_html(h.unit) << "</small>";
    out << "</dd>";
    if (!h.remark.empty()) out << "<dd class='remark'>" << escape_html(h.remark) << "</dd>";
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
  if (!report.subtitle.empty()) out << "<p class='subtitle'>" << escape_html(report.subtitle) << "</p>\n";
  out << "</header>\n";
  if (!report.verdict.text.empty())
    out << fmt::format("<p class='notice verdict {}'>{}</p>\n", tone_class(report.verdict.tone),
                       escape_html(report.verdict.text));
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
    for (const ReportBlock& block : section.blocks) std::visit(BlockWriter{out, numbers}, block);
    out << "</section>\n";
  }
  if (!report.footer.empty()) out << "<footer>" << escape_html(report.footer) << "</footer>\n";
  out << "</main>\n<script type='application/json' id='data'>";
  write_data_block(report, out);
  out << "</script>\n<script>" << viewer_script() << page_script() << "</script>\n</body>\n</html>\n";
}

}  // namespace torsor
