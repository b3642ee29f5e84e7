#include "pickle_machine.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "pickle_text.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"

namespace sdbench {
namespace {

enum class Callable { kReconstruct, kNdarray, kDtype, kFromBuffer, kScalar, kEncode, kBytes, kSet };

struct KnownGlobal {
  std::string_view module;
  std::string_view name;
  Callable callable;
};

/// The functions that make numpy arrays and numbers. Old protocols also call functions for bytes
/// and sets. numpy 2 moved some modules, so both names are listed.
constexpr std::array kKnownGlobals{
    KnownGlobal{"numpy.core.multiarray", "_reconstruct", Callable::kReconstruct},
    KnownGlobal{"numpy._core.multiarray", "_reconstruct", Callable::kReconstruct},
    KnownGlobal{"numpy", "ndarray", Callable::kNdarray},
    KnownGlobal{"numpy", "dtype", Callable::kDtype},
    KnownGlobal{"numpy.core.numeric", "_frombuffer", Callable::kFromBuffer},
    KnownGlobal{"numpy._core.numeric", "_frombuffer", Callable::kFromBuffer},
    KnownGlobal{"numpy.core.multiarray", "scalar", Callable::kScalar},
    KnownGlobal{"numpy._core.multiarray", "scalar", Callable::kScalar},
    KnownGlobal{"_codecs", "encode", Callable::kEncode},
    KnownGlobal{"__builtin__", "bytes", Callable::kBytes},
    KnownGlobal{"__builtin__", "set", Callable::kSet},
    KnownGlobal{"builtins", "set", Callable::kSet},
    KnownGlobal{"__builtin__", "frozenset", Callable::kSet},
    KnownGlobal{"builtins", "frozenset", Callable::kSet},
};

constexpr std::string_view kFloat = "a float";
constexpr std::string_view kLong = "a number of more than 64 bits";
constexpr std::string_view kSet = "a set";

} // namespace

bool is_big_endian(const PickledValue& dtype) {
  return !dtype.items->empty() && dtype.items->front().text == ">";
}

PickleMachine::PickleMachine(std::string_view pickle, std::string file)
    : bytes_(pickle), file_(std::move(file)) {}

PickledValue PickleMachine::run() {
  constexpr std::uint8_t kProtocol = 0x80;
  constexpr std::uint8_t kFrame = 0x95;
  for (;;) {
    const auto instruction = static_cast<std::uint8_t>(take_number(1));
    if (instruction == '.') {
      return pop();
    }
    if (instruction == kProtocol) {
      static_cast<void>(take(1));
    } else if (instruction == kFrame) {
      static_cast<void>(take(8));
    } else if (!push_constant(instruction) && !push_text(instruction) && !remember(instruction) &&
               !build_items(instruction) && !build_set(instruction) && !make_object(instruction)) {
      throw malformed("has the instruction 0x" +
                      hex_text(std::string(1, static_cast<char>(instruction))));
    }
  }
}

std::string_view PickleMachine::take(std::size_t size) {
  if (size > bytes_.size() - at_) {
    throw Error(file_ + " must be a whole pickle, but ends early, after " +
                std::to_string(bytes_.size()) + " bytes; it is cut off: unpack the archive again");
  }
  at_ += size;
  return bytes_.substr(at_ - size, size);
}

std::string_view PickleMachine::take_line() {
  const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  const std::string_view line = take(end - at_);
  static_cast<void>(take(1));
  return line;
}

std::uint64_t PickleMachine::take_number(std::size_t bytes) {
  const std::string_view digits = take(bytes);
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    number = number << 8 | static_cast<std::uint8_t>(digits[i]);
  }
  return number;
}

std::int64_t PickleMachine::take_integer_line() {
  const std::string_view line = take_line();
  const auto number = parse_integer(line.ends_with('L') ? line.substr(0, line.size() - 1) : line);
  if (!number) {
    throw malformed("has a line that must be a whole number, but is not");
  }
  return *number;
}

/// A whole number of any length. Keeps only the kind of a number of more than 64 bits.
void PickleMachine::push_long_line() {
  std::string_view line = take_line();
  line = line.substr(0, line.size() - (line.ends_with('L') ? 1 : 0));
  const std::string_view digits = line.substr(line.starts_with('-') ? 1 : 0);
  const bool is_number = !digits.empty() && std::ranges::all_of(digits, [](unsigned char letter) {
    return std::isdigit(letter) != 0;
  });
  if (!is_number) {
    throw malformed("has a line that must be a whole number, but is not");
  }
  if (const auto number = parse_integer(line)) {
    push(Kind::kInteger, *number);
  } else {
    push(Kind::kOther, 0, kLong);
  }
}

/// Little-endian, in two's complement.
void PickleMachine::push_long(std::string_view bytes) {
  if (bytes.size() > sizeof(std::int64_t)) {
    push(Kind::kOther, 0, kLong);
    return;
  }
  std::string all(sizeof(std::int64_t), !bytes.empty() && bytes.back() < 0 ? '\xFF' : '\0');
  all.replace(0, bytes.size(), bytes);
  push(Kind::kInteger, integer_in(all, "i8", false).value());
}

Error PickleMachine::malformed(const std::string& reason) const {
  return Error(file_ + " must be the pickle of a batch of CIFAR-10, but " + reason +
               ", before byte " + std::to_string(at_) + "; take the archive's own file");
}

void PickleMachine::push(Kind kind, std::int64_t integer, std::string_view text) {
  stack_.push_back({kind, integer, text, nullptr});
}

/// Stores a decoded text. A decoded text is at most four times as long as its source. So a pickle
/// that decodes more than that in total decodes one text repeatedly, which could exhaust memory,
/// and is refused.
void PickleMachine::push_own_text(std::optional<std::string> text) {
  if (!text) {
    throw malformed("has a text that cannot be decoded");
  }
  constexpr std::size_t kMostOfALetter = 4;
  texts_size_ += text->size();
  if (texts_size_ / kMostOfALetter > bytes_.size()) {
    throw malformed("decodes more text than it has");
  }
  push(Kind::kText, 0, texts_->emplace_back(std::move(*text)));
}

void PickleMachine::push_items(Kind kind, std::vector<PickledValue> items) {
  all_items_.push_back(std::move(items));
  stack_.push_back({kind, 0, {}, &all_items_.back()});
}

PickledValue& PickleMachine::top() {
  if (stack_.empty() || stack_.back().kind == Kind::kMark) {
    throw malformed("takes a value, but has put none on its stack");
  }
  return stack_.back();
}

PickledValue PickleMachine::pop() {
  const PickledValue value = top();
  stack_.pop_back();
  return value;
}

PickledValue PickleMachine::pop(Kind kind) {
  const PickledValue value = pop();
  if (value.kind != kind) {
    throw malformed("takes a value of the wrong kind");
  }
  return value;
}

std::vector<PickledValue> PickleMachine::pop_last(std::size_t count) {
  std::vector<PickledValue> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(pop());
  }
  std::ranges::reverse(values);
  return values;
}

std::vector<PickledValue> PickleMachine::pop_to_mark() {
  const auto is_mark = [](const PickledValue& value) { return value.kind == Kind::kMark; };
  const auto mark = std::find_if(stack_.rbegin(), stack_.rend(), is_mark);
  if (mark == stack_.rend()) {
    throw malformed("looks for a mark, but has put none on its stack");
  }
  std::vector<PickledValue> values(mark.base(), stack_.end());
  stack_.erase(mark.base() - 1, stack_.end());
  return values;
}

void PickleMachine::add_to_top(Kind kind, const std::vector<PickledValue>& items) {
  const PickledValue& target = top();
  if (target.kind != kind || (kind == Kind::kDict && items.size() % 2 != 0)) {
    throw malformed("adds to a value of the wrong kind");
  }
  target.items->insert(target.items->end(), items.begin(), items.end());
}

bool PickleMachine::push_constant(std::uint8_t instruction) {
  switch (instruction) {
  case 'N':
    push(Kind::kNone);
    return true;
  case 0x88:
  case 0x89:
    push(Kind::kBool, instruction == 0x88 ? 1 : 0);
    return true;
  case 'I': {
    constexpr std::size_t kLineOfBool = 3; // "01" and the line's end
    const std::string_view ahead = bytes_.substr(at_, kLineOfBool);
    const bool is_bool = ahead == "00\n" || ahead == "01\n";
    push(is_bool ? Kind::kBool : Kind::kInteger, take_integer_line());
    return true;
  }
  case 'L':
    push_long_line();
    return true;
  case 0x8a:
  case 0x8b:
    push_long(take(take_number(instruction == 0x8a ? 1 : 4)));
    return true;
  case 'G':
    static_cast<void>(take(sizeof(double)));
    push(Kind::kOther, 0, kFloat);
    return true;
  case 'F':
    static_cast<void>(take_line());
    push(Kind::kOther, 0, kFloat);
    return true;
  case 'K':
    push(Kind::kInteger, static_cast<std::int64_t>(take_number(1)));
    return true;
  case 'M':
    push(Kind::kInteger, static_cast<std::int64_t>(take_number(2)));
    return true;
  case 'J':
    push(Kind::kInteger, static_cast<std::int32_t>(take_number(4)));
    return true;
  default:
    return false;
  }
}

bool PickleMachine::push_text(std::uint8_t instruction) {
  std::size_t bytes_of_size = 0;
  switch (instruction) {
  case 'S':
    push_own_text(bytes_of_repr(take_line()));
    return true;
  case 'V':
    push_own_text(utf8_of_escapes(take_line()));
    return true;
  case 'U':  // str of Python 2
  case 'C':  // bytes
  case 0x8c: // str
    bytes_of_size = 1;
    break;
  case 'T': // the same with a 4-byte size
  case 'B':
  case 'X':
    bytes_of_size = 4;
    break;
  case 0x8d:
  case 0x8e:
  case 0x96: // bytearray
    bytes_of_size = 8;
    break;
  default:
    return false;
  }
  push(Kind::kText, 0, take(take_number(bytes_of_size)));
  return true;
}

bool PickleMachine::remember(std::uint8_t instruction) {
  switch (instruction) {
  case 'q':
  case 'r': {
    const std::uint64_t place = take_number(instruction == 'q' ? 1 : 4);
    memo_[place] = top();
    return true;
  }
  case 'p': {
    const auto place = static_cast<std::uint64_t>(take_integer_line());
    memo_[place] = top();
    return true;
  }
  case 0x94: {
    const std::uint64_t place = memo_.size();
    memo_[place] = top();
    return true;
  }
  case 'g':
  case 'h':
  case 'j': {
    const auto found =
        memo_.find(instruction == 'g' ? static_cast<std::uint64_t>(take_integer_line())
                                      : take_number(instruction == 'h' ? 1 : 4));
    if (found == memo_.end()) {
      throw malformed("asks for a value that it never stored");
    }
    stack_.push_back(found->second);
    return true;
  }
  default:
    return false;
  }
}

bool PickleMachine::build_items(std::uint8_t instruction) {
  switch (instruction) {
  case '(':
    push(Kind::kMark);
    return true;
  case ']':
    push_items(Kind::kList, {});
    return true;
  case '}':
    push_items(Kind::kDict, {});
    return true;
  case ')':
    push_items(Kind::kTuple, {});
    return true;
  case 't':
    push_items(Kind::kTuple, pop_to_mark());
    return true;
  case 'l':
    push_items(Kind::kList, pop_to_mark());
    return true;
  case 'd': {
    const std::vector<PickledValue> items = pop_to_mark();
    push_items(Kind::kDict, {});
    add_to_top(Kind::kDict, items);
    return true;
  }
  case 0x85:
  case 0x86:
  case 0x87:
    push_items(Kind::kTuple, pop_last(instruction - 0x84U));
    return true;
  case 'a':
    add_to_top(Kind::kList, pop_last(1));
    return true;
  case 'e':
    add_to_top(Kind::kList, pop_to_mark());
    return true;
  case 's':
    add_to_top(Kind::kDict, pop_last(2));
    return true;
  case 'u':
    add_to_top(Kind::kDict, pop_to_mark());
    return true;
  default:
    return false;
  }
}

/// Keeps only the presence of a set, not its content.
bool PickleMachine::build_set(std::uint8_t instruction) {
  switch (instruction) {
  case 0x8f:
    push(Kind::kOther, 0, kSet);
    return true;
  case 0x90:
    static_cast<void>(pop_to_mark());
    if (top().kind != Kind::kOther || top().text != kSet) {
      throw malformed("adds to a value of the wrong kind");
    }
    return true;
  case 0x91:
    static_cast<void>(pop_to_mark());
    push(Kind::kOther, 0, kSet);
    return true;
  default:
    return false;
  }
}

bool PickleMachine::make_object(std::uint8_t instruction) {
  switch (instruction) {
  case 'c': {
    const std::string_view module = take_line();
    push_global(module, take_line());
    return true;
  }
  case 0x93: {
    const PickledValue name = pop(Kind::kText);
    push_global(pop(Kind::kText).text, name.text);
    return true;
  }
  case 'R':
    reduce();
    return true;
  case 'b':
    build();
    return true;
  default:
    return false;
  }
}

void PickleMachine::push_global(std::string_view module, std::string_view name) {
  const auto* const known = std::ranges::find_if(kKnownGlobals, [&](const KnownGlobal& global) {
    return global.module == module && global.name == name;
  });
  if (known == kKnownGlobals.end()) {
    throw malformed("asks for " + in_quotes(std::string(module) + "." + std::string(name)) +
                    ", and only numpy's arrays are made");
  }
  push(Kind::kGlobal, known - kKnownGlobals.begin());
}

void PickleMachine::reduce() {
  const std::vector<PickledValue>& arguments = *pop(Kind::kTuple).items;
  const auto global = static_cast<std::size_t>(pop(Kind::kGlobal).integer);
  const Callable callable = kKnownGlobals[global].callable;
  if (callable == Callable::kReconstruct) {
    push_items(Kind::kArray, {}); // build() sets its state
  } else if (callable == Callable::kDtype && !arguments.empty()) {
    push_items(Kind::kDtype, {}); // build() sets its byte order
    stack_.back().text = arguments[0].text;
  } else if (callable == Callable::kEncode) {
    encode(arguments);
  } else if (callable == Callable::kBytes && arguments.empty()) {
    push(Kind::kText);
  } else if (callable == Callable::kScalar) {
    push_scalar(arguments);
  } else if (callable == Callable::kSet && arguments.size() <= 1) {
    push(Kind::kOther, 0, kSet);
  } else if (callable == Callable::kFromBuffer && arguments.size() == 4 &&
             (arguments[3].text == "C" || arguments[3].text == "F")) {
    const PickledValue by_columns{Kind::kBool, arguments[3].text == "F" ? 1 : 0, {}, nullptr};
    push_items(Kind::kArray, {arguments[2], arguments[1], arguments[0], by_columns});
  } else {
    throw malformed("calls " + std::string(kKnownGlobals[global].name) + " in another way");
  }
}

void PickleMachine::encode(const std::vector<PickledValue>& arguments) {
  if (arguments.size() != 2 || arguments[0].kind != Kind::kText || arguments[1].text != "latin1") {
    throw malformed("calls encode in another way");
  }
  push_own_text(bytes_of_latin1(arguments[0].text));
}

void PickleMachine::push_scalar(const std::vector<PickledValue>& arguments) {
  if (arguments.size() != 2 || arguments[0].kind != Kind::kDtype ||
      arguments[1].kind != Kind::kText) {
    throw malformed("has a numpy number in an unknown form");
  }
  const auto number = integer_in(arguments[1].text, arguments[0].text, is_big_endian(arguments[0]));
  if (number) {
    push(Kind::kInteger, *number);
  } else {
    push(Kind::kOther, 0, "a numpy number that is not an integer");
  }
}

void PickleMachine::build() {
  const std::vector<PickledValue>& state = *pop(Kind::kTuple).items;
  const PickledValue& target = top();
  if (target.kind == Kind::kDtype) { // version, byte order, …
    if (state.size() < 2) {
      throw malformed("has a dtype in an unknown form");
    }
    *target.items = std::vector<PickledValue>{state[1]};
    return;
  }
  // Version, shape, dtype, column order (bool), bytes.
  if (target.kind != Kind::kArray || state.size() != 5 || state[3].kind != Kind::kBool) {
    throw malformed("has an array in an unknown form");
  }
  std::vector<PickledValue> parts{state[1], state[2], state[4], state[3]};
  *target.items = std::move(parts);
}

} // namespace sdbench
