import UAF

/// Check of the header: its version, and extensions that must not be ignored.
enum HeaderCheck {
    static func require(_ header: OperationHeader) throws(RefusalReason) {
        // A message of one protocol version is never accepted under another, whatever it looks like.
        guard header.version == .version11 else { throw .header }
        guard !header.extensions.contains(where: \.failIfUnknown) else { throw .message(.unknownCriticalExtension) }
    }
}
