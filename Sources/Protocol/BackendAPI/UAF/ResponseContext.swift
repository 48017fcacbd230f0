/// What a client says beside its UAF response (`backend-http-api` 1.6).
public struct ResponseContext: Sendable {
    /// Status code of the authenticator-specific module when the operation ended on the device without an assertion.
    public let asmStatusCode: Int?
    /// Error code of the UAF client in the same case.
    public let clientErrorCode: Int?
    /// The application and device that answered.
    public let userAgent: String?

    /// A context with what there is to say.
    public init(asmStatusCode: Int? = nil, clientErrorCode: Int? = nil, userAgent: String? = nil) {
        self.asmStatusCode = asmStatusCode
        self.clientErrorCode = clientErrorCode
        self.userAgent = userAgent
    }
}
