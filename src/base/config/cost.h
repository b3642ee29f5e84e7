#pragma once

#include <cstdint>

/// Costs of layers, for code that walks through an architecture and adds them up.
namespace sdbench::cost {

/// Converts a count to double. Counts of real models stay below 2^53, so they are exact. A hostile
/// config cannot make a double overflow.
inline double real(std::int64_t value) {
  return static_cast<double>(value);
}

/// Costs of a part of a model. One walk through the architecture counts them all.
struct Cost {
  double macs = 0; ///< multiply-accumulate operations of one pass
  double parameters = 0;
  double moved = 0; ///< numbers that operators read and write in one pass, without parameters

  Cost& operator+=(const Cost& other) {
    macs += other.macs;
    parameters += other.parameters;
    moved += other.moved;
    return *this;
  }
};

inline Cost operator+(Cost a, const Cost& b) {
  return a += b;
}

inline Cost operator*(double times, const Cost& cost) {
  return {times * cost.macs, times * cost.parameters, times * cost.moved};
}

/// A feature map's size.
struct Size {
  std::int64_t height;
  std::int64_t width;
  [[nodiscard]] double area() const { return real(height) * real(width); }
  /// Size after a convolution or pool of stride 2 that rounds odd sizes up.
  [[nodiscard]] Size halved() const { return {(height + 1) / 2, (width + 1) / 2}; }
  /// Size after a 2x2 pool without padding, which rounds odd sizes down.
  [[nodiscard]] Size pooled() const { return {height / 2, width / 2}; }
  [[nodiscard]] Size doubled() const { return {height * 2, width * 2}; }
};

enum class Bias { kYes, kNo };

inline Cost linear(std::int64_t in, std::int64_t out, double rows, Bias bias = Bias::kYes) {
  return {real(in) * real(out) * rows, real(in) * real(out) + (bias == Bias::kYes ? real(out) : 0),
          (real(in) + real(out)) * rows};
}

inline Cost conv(std::int64_t in, std::int64_t out, std::int64_t kernel, Size from, Size to,
                 Bias bias = Bias::kYes) {
  Cost cost = linear(in * kernel * kernel, out, to.area(), bias);
  cost.moved = real(in) * from.area() + real(out) * to.area();
  return cost;
}

inline Cost conv(std::int64_t in, std::int64_t out, std::int64_t kernel, Size size) {
  return conv(in, out, kernel, size, size);
}

/// Cost of a norm: only its scale and shift parameters count.
inline Cost norm(std::int64_t channels) {
  return {0, 2 * real(channels), 0};
}

} // namespace sdbench::cost
