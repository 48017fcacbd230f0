import Octets

/// Phone page: serves one phone to the browser of the person who started it.
package enum PhonePage {
    /// Serves a phone on a port of loopback until the task is canceled; port 0 takes a free one.
    ///
    /// The origin is another one each time, unless `host` was drawn before. `ready` is called once, when the page can be
    /// opened, with the address that lets in. Throws ``PhonePageFailure``.
    package static func serve(
        phone: any PhonePageService, host: PhonePageHost = .fresh, port: Int,
        ready: @Sendable (PhonePageAddress) async throws -> Void
    ) async throws {
        let secrets = PhonePageSecrets()
        try await PhonePageServer.serve(host: host, port: port) { port in
            PhonePageRoutes(guards: PhonePageGuard(host: host, port: port, secrets: secrets), phone: phone)
        } ready: { port in
            try await ready(PhonePageAddress(host: host, port: port, entry: secrets.entry))
        }
    }
}

/// Address of a phone page; its entry secret is for the terminal of the person only.
package struct PhonePageAddress: Sendable {
    package let host: PhonePageHost
    package let port: Int
    private let entry: Sensitive<String>

    init(host: PhonePageHost, port: Int, entry: Sensitive<String>) {
        (self.host, self.port) = (host, port)
        self.entry = entry
    }

    /// Origin of the page, without a secret.
    package var origin: String { "http://\(host.address):\(port)" }

    /// Address that works once; the browser that opens it first has the phone.
    package func revealEntry() -> String { "\(origin)\(PhonePageURL.entryPrefix)\(entry.reveal())" }
}

/// Reason for which a phone page cannot be served.
package enum PhonePageFailure: Error, Sendable, Hashable {
    case portTaken(Int)
    /// The operating system refused the socket; the text is its reason.
    case unavailable(String)
}
