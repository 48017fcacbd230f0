package import HummingbirdCore
package import NIOCore

/// Service that decides on requests and answers them.
package struct RequestService: Sendable {
    /// Decides on a request when it arrives over a connection: the answer to one that is refused; nil for one that is let in.
    package typealias Refuse = @Sendable (Request, ConnectionOrigin, any Channel) -> WholeAnswer?
    /// Answers a request that has come over a channel; whatever goes wrong is an answer, too.
    package typealias Respond = @Sendable (Request, any Channel) async -> Response

    let refuse: Refuse
    let respond: Respond

    package init(refuse: @escaping Refuse, respond: @escaping Respond) {
        self.refuse = refuse
        self.respond = respond
    }
}
