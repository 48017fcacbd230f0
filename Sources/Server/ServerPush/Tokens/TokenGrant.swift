import ServerCore

/// Exchanges an assertion of the service account for an access token (RFC 7523, 2.1).
struct TokenGrant: Sendable {
    let account: ServiceAccount
    let clock: any WallClock
    let transport: PushTransport

    /// Asks once.
    func answer(within time: Duration) async -> Result<TokenAnswer, PushTransportError> {
        guard let assertion = account.assertion(now: clock.now().seconds) else { return .success(.refused) }
        // The characters of a compact JWS need no escape in a form.
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let request = PushRequest(
            url: account.tokenAddress.text, contentType: "application/x-www-form-urlencoded", authorization: nil,
            body: Array(form.utf8))
        do throws(PushTransportError) {
            return .success(TokenAnswer(try await transport.response(to: request, within: time)))
        } catch {
            return .failure(error)
        }
    }
}
