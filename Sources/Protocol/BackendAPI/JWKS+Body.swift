public import JOSE

/// The document at the key set endpoint.
extension JWKS: MessageBody {
    /// Reads a set of public keys as ``JWKS/init(json:)`` does; every refusal is ``BackendAPIError/malformedBody(offset:)``.
    public init(body: [UInt8]) throws(BackendAPIError) {
        do throws(JOSEError) {
            try self.init(json: body)
        } catch {
            throw .malformedBody(offset: nil)
        }
    }

    /// The JSON text of the set.
    public var body: [UInt8] { json }
}
