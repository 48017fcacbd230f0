import UAF

/// Checks 1, 2 and 4: the message is one well-formed response of protocol version 1.1.
enum MessageReader {
    static func response(
        _ message: [UInt8], profile: VerificationProfile
    ) throws(RefusalReason) -> OperationResponse {
        let response: OperationResponse
        do throws(MessageError) {
            response = try OperationResponse(message: message, rules: profile.decoding)
        } catch {
            throw .message(error)
        }
        try HeaderCheck.require(response.header)
        return response
    }
}
