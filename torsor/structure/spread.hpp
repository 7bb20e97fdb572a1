// How a quantity is spread over positions or instants: least, mean, most, and where.
#pragma once

namespace torsor {

struct Spread {
  double least = 0, mean = 0, most = 0;
  int at_least = 0, at_most = 0;  // the positions or instants, by number

  /// Largest magnitude.
  double size() const { return -least > most ? -least : most; }
};

/// Takes value after value, with the number of its position.
class SpreadGather {
 public:
  void see(double value, int position) {
    if (count_ == 0 || value < out_.least) {
      out_.least = value;
      out_.at_least = position;
    }
    if (count_ == 0 || value > out_.most) {
      out_.most = value;
      out_.at_most = position;
    }
    sum_ += value;
    ++count_;
  }
  Spread spread() const {
    Spread out = out_;
    out.mean = count_ > 0 ? sum_ / count_ : 0;
    return out;
  }

 private:
  Spread out_;
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace torsor
