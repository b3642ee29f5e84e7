// For libstdc++ alone (scripts/bundle.sh): Debian's asks glibc for arc4random, for std::random_device. It came with 2.36.
#include <sys/random.h>

unsigned int arc4random(void) {
  unsigned int number;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}
