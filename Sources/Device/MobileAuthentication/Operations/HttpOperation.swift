/// An operation that talks to a server.
public protocol HttpOperation: Operation {
    /// Adds headers to every request of the operation.
    ///
    /// They never replace `Accept`, `Content-Type`, `Authorization`, `Cookie` and `Device-Signature`.
    @discardableResult
    func requestHeaders(_ headers: [String: String]) -> Self
}
