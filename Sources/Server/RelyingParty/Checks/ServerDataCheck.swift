import UAF

/// Check 3: what the server sent along came back unchanged.
///
/// Whether the text is authentic and of this session is known to whoever made it; here it must be the same text.
enum ServerDataCheck {
    static func require(_ answered: ServerData?, of request: SentRequest) throws(RefusalReason) {
        guard answered == request.serverData else { throw .serverData }
    }
}
