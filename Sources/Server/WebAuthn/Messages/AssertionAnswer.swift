/// Answer of a browser with a signature, read from AuthenticationResponseJSON (section 5.1); nothing is proved.
package struct AssertionAnswer: Hashable, Sendable {
    private static let handleByteCounts = 1...64

    /// Identifier of the credential: the caller looks up the record by it.
    package let id: [UInt8]
    package let clientData: [UInt8]
    package let authenticatorData: [UInt8]
    package let signature: [UInt8]
    /// Handle of the user, 1 to 64 bytes; nil when the authenticator does not give it.
    package let user: [UInt8]?

    /// Reads the JSON text; throws `answer` or `clientExtensions`.
    package init(_ text: [UInt8]) throws(PasskeyError) {
        do throws(PasskeyRefusal) {
            try self.init(AnswerEnvelope(text))
        } catch {
            throw PasskeyError(error, in: .authentication)
        }
    }

    private init(_ envelope: AnswerEnvelope) throws(PasskeyRefusal) {
        id = envelope.id
        clientData = try envelope.octets("clientDataJSON")
        authenticatorData = try envelope.octets("authenticatorData")
        signature = try envelope.octets("signature")
        user = try envelope.optionalOctets("userHandle")
        guard user.map({ Self.handleByteCounts.contains($0.count) }) ?? true else { throw .answer }
    }
}
