/// Reads a payload; exactly one input has to be given.
///
/// Nothing is decrypted and no server is asked. Members that are not the payload's own, which push services add, are
/// ignored.
public protocol OutOfBandPayloadDecode: Operation {
    /// The payload as it comes in a push message.
    @discardableResult
    func json(_ json: String) -> Self

    /// The payload of a QR code, or of the parameter `dispatchTokenResponse` of a link.
    @discardableResult
    func base64UrlEncoded(_ base64UrlEncoded: String) -> Self

    /// Called once with the payload.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor (OutOfBandPayload) -> Void) -> Self

    /// Called once when the input is no payload.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OutOfBandPayloadError) -> Void) -> Self

    /// Reads the payload at once.
    func perform() throws(OutOfBandPayloadError) -> OutOfBandPayload
}
