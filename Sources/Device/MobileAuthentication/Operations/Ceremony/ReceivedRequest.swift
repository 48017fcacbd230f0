/// A UAF request that came without being asked for in this operation: out of band.
package struct ReceivedRequest<Request: Sendable>: Sendable {
    package let request: Request
    /// When it stops being valid, on the monotonic clock; nil when the server has not said.
    package let expiry: Duration?

    package init(_ request: Request, expiry: Duration?) {
        self.request = request
        self.expiry = expiry
    }
}
