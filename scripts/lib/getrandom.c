// Only for libstdc++ (scripts/bundle.sh): Debian's needs arc4random from glibc, for
// std::random_device. glibc has it since 2.36.
#include <sys/random.h>

unsigned int arc4random(void) {
  unsigned int number;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}
