import BackendAPI
import UAF

/// Browser and phone of one user, and the site that signs them in by code.
///
/// Browser, site and phone have a connection each, which stay open.
struct CodePair: LoadSubject {
    private let number: Int
    private let origin: String
    private let network: PhoneNetwork
    private var phone: EnrolledPhone
    private var rounds = 0
    private var ends: Ends?

    /// Connections of the three.
    private struct Ends {
        let browser: PhoneConnection
        let site: WebSite
        let phone: PhoneConnection
    }

    /// Pair with a number, which its user has, too, at the server of `origin`.
    init(_ number: Int, at origin: String, on network: PhoneNetwork) throws {
        self.number = number
        self.origin = origin
        self.network = network
        phone = try EnrolledPhone(user: Population.phoneUser(number))
    }

    /// Opens the connections, and registers the phone.
    mutating func prepare() async throws {
        let ends = Ends(
            browser: try await network.connect(), site: WebSite(over: try await network.connect()),
            phone: try await network.connect())
        try await phone.register(at: origin, over: ends.phone)
        self.ends = ends
    }

    /// One sign-in in nine requests: a browser without a session asks for a code, and loads page, picture and link; the
    /// phone redeems and answers; the browser sees the confirmation and goes on; the site exchanges the code.
    mutating func work() async throws {
        guard let ends else { throw BenchmarkFailure.connectionLost }
        let request = WebSite.CodeRequest()
        let visit = try await BrowserVisit(request, over: ends.browser.forwarding(nextAddress()))
        let page = try await visit.show()
        let link = try await visit.link()
        guard let payload = try EnrolledPhone.payload(inLink: link), case .plain(let content) = payload.content else {
            throw BenchmarkFailure.wrongAnswer(step: "link of the sign-in page", came: link)
        }
        try await phone.confirm(content.token, over: ends.phone)
        try await visit.status("confirmed")
        try await ends.site.exchange(try await visit.finish(page, at: origin), of: request)
    }

    /// Address of the next browser.
    private mutating func nextAddress() -> String {
        rounds += 1
        return "10.\(number & 0xFF).\((rounds >> 8) & 0xFF).\(rounds & 0xFF)"
    }

    /// Closes the connections.
    mutating func hangUp() async throws {
        try await ends?.browser.close()
        try await ends?.site.hangUp()
        try await ends?.phone.close()
        ends = nil
    }
}
