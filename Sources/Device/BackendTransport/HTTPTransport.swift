/// HTTP port of the SDK: sends one request to a backend and returns its response.
///
/// An implementation follows no redirect, keeps no cookies, sends nothing that is not in the request (but `Host`,
/// `Content-Length` and `User-Agent`), and refuses addresses that are not `https`.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and waits for the whole response.
    ///
    /// Cancelling the task ends the exchange with ``BackendTransportError/cancelled``.
    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse
}
