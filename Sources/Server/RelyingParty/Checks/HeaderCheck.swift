import UAF

/// Check 2: version and operation of the header, and extensions that must not be ignored.
enum HeaderCheck {
    static func require(_ header: OperationHeader, operation: UAF.Operation) throws(RefusalReason) {
        // A message of one protocol version is never accepted under another, whatever it looks like.
        guard header.version == .version11, header.operation == operation else { throw .header }
        guard !header.extensions.contains(where: \.failIfUnknown) else {
            throw .message(.unknownCriticalExtension)
        }
    }
}
