#include <secp256k1.h>

// The library declares its context as a variable, which Swift 6 takes for shared mutable state; it is never written.
static inline const secp256k1_context *_Nonnull signet_secp256k1_verification_context(void) {
    return secp256k1_context_static;
}
