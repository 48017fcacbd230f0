import UAF

/// Site and phone of one user: the site asks by CIBA, the phone is pushed and confirms, the site polls.
struct BackchannelPair: LoadSubject {
    /// Text that the phone shows and signs.
    private static let text = "Green boat"

    private let origin: String
    private let network: PhoneNetwork
    private let pushService: PushService
    private var phone: EnrolledPhone
    private var ends: Ends?

    /// Connections of the site and the phone, which has one to the push service besides.
    private struct Ends {
        let site: WebSite
        let phone: PhoneConnection
        var mailbox: PushMailbox
    }

    /// Pair of a user at the server of `origin`, which sends its pushes to `pushService`.
    init(user: String, at origin: String, on network: PhoneNetwork, pushedBy pushService: PushService) throws {
        self.origin = origin
        self.network = network
        self.pushService = pushService
        phone = try EnrolledPhone(user: user)
    }

    /// Opens the connections, and registers the phone with its token of the push service.
    mutating func prepare() async throws {
        let ends = Ends(
            site: WebSite(over: try await network.connect()), phone: try await network.connect(),
            mailbox: try await pushService.subscribe())
        try await phone.register(at: origin, over: ends.phone, pushToken: ends.mailbox.token)
        self.ends = ends
    }

    /// One confirmation in four requests and a push: the site begins, the phone takes the message from the push service,
    /// opens it, redeems and answers; the site polls and gets tokens.
    ///
    /// The site polls once, when the phone has confirmed: the first poll of a request may come at any time, so that no
    /// interval is waited for.
    mutating func work() async throws {
        guard var ends else { throw BenchmarkFailure.connectionLost }
        let request = try await ends.site.ask(phone.username.text, toConfirm: Self.text)
        let token = try phone.token(sealedIn: try await ends.mailbox.next())
        self.ends = ends
        try await phone.confirm(token, over: ends.phone)
        try await ends.site.poll(request)
    }

    /// Closes the connections.
    mutating func hangUp() async throws {
        try await ends?.site.hangUp()
        try await ends?.phone.close()
        try await ends?.mailbox.hangUp()
        ends = nil
    }
}
