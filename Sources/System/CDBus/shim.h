#include <systemd/sd-bus.h>

// What wakes a thread that waits for the bus; Swift's Glibc module leaves it out.
#include <sys/eventfd.h>
