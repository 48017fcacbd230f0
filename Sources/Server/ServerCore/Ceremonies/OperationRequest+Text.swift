import UAF

extension OperationRequest {
    /// The message as it travels inside the answer of a request service.
    var text: String { String(decoding: message, as: UTF8.self) }
}
