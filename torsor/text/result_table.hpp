// Results as rows of a table, from their lists of fields (torsor/fields.hpp): a field is a column with its name and unit.
#pragma once

#include <initializer_list>

#include "torsor/expect.hpp"
#include "torsor/fields.hpp"
#include "torsor/text/text_table.hpp"

namespace torsor {

/// A column of a table: a field by its name, and the heading where that is not the name.
struct FieldColumn {
  std::string_view field;
  const char* heading = nullptr;

  FieldColumn(const char* f) : field(f) {}
  FieldColumn(const char* f, const char* h) : field(f), heading(h) {}
};

/// A share in per cent, `72 %`; `beyond` where it is infinite.
std::string share_text(double x);

/// What a table shows of a value.
template <class T>
TextTable::Cell cell_of(const T& x, std::string_view unit) {
  if constexpr (is_optional_value<T>)
    return x ? cell_of(*x, unit) : TextTable::Cell(std::string("-"));
  else if constexpr (std::is_same_v<T, bool>)
    return std::string(x ? "yes" : "no");
  else if constexpr (std::is_floating_point_v<T>)
    return unit == share_unit ? TextTable::Cell(share_text(x)) : TextTable::Cell(double(x));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<long long>(x);
  else if constexpr (NamedValue<T>)
    return std::string(status_name(x));
  else if constexpr (TextValue<T>)
    return std::string(x);
  else
    return std::string();
}

/// A row for each result, a column for each of these fields, in this order. A field that is not there is a mistake of ours.
template <HasFields T, class Rows>
TextTable table_of(std::string caption, const Rows& rows, std::initializer_list<FieldColumn> shown, int digits = 4) {
  TextTable table{std::move(caption), {}, std::vector<TextTable::Row>(rows.size())};
  for (const FieldColumn& wanted : shown) {
    std::size_t found = 0;
    for_each_field<T>([&](const auto& field, const auto& get) {
      if (wanted.field != field.name) return;
      ++found;
      std::string heading = wanted.heading ? wanted.heading : field.name;
      for (char& c : heading) c = c == '_' ? ' ' : c;
      table.columns.push_back(
          {std::move(heading), std::string_view(field.unit) == share_unit ? "" : field.unit, Align::automatic, digits});
      std::size_t k = 0;
      for (const T& each : rows)
        table.rows[k++].push_back(cell_of(std::remove_cvref_t<decltype(get(each))>(get(each)), field.unit));
    });
    TORSOR_EXPECT(found == 1);
  }
  return table;
}

}  // namespace torsor
