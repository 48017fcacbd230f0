package import Octets

/// Address of another system that this server calls: `https`, ASCII of at most 2,048 octets, no fragment, no user
/// information.
package struct OutgoingAddress: Sendable, Hashable {
    /// Rule of addresses, in words.
    package static let rule = "an https address without user and fragment"

    package let text: String

    package init?(_ text: String) {
        guard text.utf8.starts(with: "https://".utf8), let address = RedirectAddress(text) else { return nil }
        self.text = address.text
    }
}

/// Rules of outgoing requests: nothing inside the network of the server can be reached by an address from outside.
///
/// `https` only; no redirect is followed; the name is resolved once and the connection goes to the address that was
/// judged; loopback, private, link-local, multicast and unspecified addresses are refused (RFC 6890), also as IPv4 inside
/// IPv6.
package struct OutgoingRules: Sendable, Hashable {
    /// Exceptions: networks that may be called although the rules refuse them.
    package var allowedNetworks: [IPNetwork] = []
    /// Files with further trusted certificates (PEM).
    package var authorityFiles: [String] = []
    /// Time for a whole request.
    package var timeout: Duration = .seconds(10)
    /// Longest body of an answer in octets that is read.
    package var answerLimit = 65_536

    package init() {}
}

/// Sender of outgoing requests, by the rules.
package protocol OutgoingSender: Sendable {
    /// Sends a POST; the status of the answer, whose body is read and dropped. Never a redirect.
    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int

    /// Fetches a document with GET and `Accept`, at most ``OutgoingRules/answerLimit`` octets; only status 200 counts.
    func fetch(_ address: OutgoingAddress, accepting type: String) async throws(OutgoingFailure) -> [UInt8]
}

/// Cause of a failed outgoing request; the raw value stands in log, metric and dead letter.
package enum OutgoingFailure: String, Error, Sendable, Hashable, CaseIterable {
    case unresolvable, forbiddenAddress, unreachable, tlsRefused, timedOut, tooLong, redirected, refusedByStatus
}
