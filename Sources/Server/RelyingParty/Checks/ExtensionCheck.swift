import UAF

/// Check of the extensions of an assertion: one that must not be ignored has to be known to this server.
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
