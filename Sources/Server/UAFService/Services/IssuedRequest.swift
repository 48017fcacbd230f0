package import BackendAPI
package import ServerCore

/// A UAF request for the phone, as the body of a response.
package struct IssuedRequest: Sendable {
    package let message: ReturnUAFRequest
    /// A cookie that has to come back with the answer; set it only when it is there.
    package let cookie: SessionCookie?

    package init(_ message: ReturnUAFRequest, cookie: SessionCookie? = nil) {
        self.message = message
        self.cookie = cookie
    }
}
