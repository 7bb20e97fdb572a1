// The compiled part of fmt inside the module, made from its own headers: where a system has fmt as a shared library alone, as
// Debian does, the wheel would need that library on every machine.
#undef FMT_SHARED
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);

}  // namespace detail
FMT_END_NAMESPACE
