public import UAF

/// What a client says beside its UAF response (`backend-http-api` 1.6).
public struct ResponseContext: Sendable {
    /// Status code of the authenticator-specific module when the operation ended on the device without an assertion.
    public let asmStatus: ASMStatus?
    /// Error code of the UAF client in the same case.
    public let clientErrorCode: ClientErrorCode?
    /// The application and device that answered.
    public let userAgent: String?

    /// A context with what there is to say.
    public init(asmStatus: ASMStatus? = nil, clientErrorCode: ClientErrorCode? = nil, userAgent: String? = nil) {
        self.asmStatus = asmStatus
        self.clientErrorCode = clientErrorCode
        self.userAgent = userAgent
    }
}
