import UAF

/// Check 10 (section 2.1): an extension of an assertion that must not be ignored is one that this server knows.
enum ExtensionCheck {
    static func require(_ extensions: [AssertionExtension]) throws(RefusalReason) {
        for one in extensions where one.failIfUnknown && one.id != .userVerificationMethod {
            throw .criticalExtension
        }
    }

    static func require(_ extensions: [MessageExtension]) throws(RefusalReason) {
        guard !extensions.contains(where: \.failIfUnknown) else { throw .criticalExtension }
    }
}
