import BackendTransport

/// The header fields that an application adds to requests.
enum ApplicationFields {
    /// Header fields that an application cannot set.
    private static let own: Set<String> = [
        "accept", "content-type", "content-length", "authorization", "cookie", "device-signature", "host", "user-agent",
        "transfer-encoding", "connection", "signet-exchange",
    ]

    /// The fields that may be sent, in the order of their names.
    static func fields(_ headers: [String: String]) -> [HeaderFields.Field] {
        headers.filter { !own.contains($0.key.lowercased()) }
            .sorted { $0.key < $1.key }.map { HeaderFields.Field($0.key, $0.value) }
    }
}
