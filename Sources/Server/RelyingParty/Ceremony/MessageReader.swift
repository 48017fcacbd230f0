import UAF

/// Reader of messages: one well-formed response of protocol version 1.1 with its final challenge parameters.
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
