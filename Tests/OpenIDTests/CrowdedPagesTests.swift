import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import OpenID

@Suite("Strangers who open sign-in pages keep no other from one (SRV-5, SA-3, SA-8)")
struct CrowdedPagesTests {
    /// A hundredth of the pages and limits of a server: one page stands for a hundred.
    private static func small(_ settings: inout OpenIDSettings.Provider) {
        settings.openSessionLimit = 200
        settings.networkLimits.perIPv4 = 200
        settings.networkLimits.per64 = 20
        settings.networkLimits.per56 = 40
        settings.networkLimits.per48 = 200
    }

    /// Address number `count` of an attack.
    enum Attack: CaseIterable {
        /// 101 networks /64 of one line.
        case line
        /// An address for each page.
        case botnet
        /// The address of the honest persons.
        case neighbour

        func address(_ count: Int) -> String {
            switch self {
            case .line: "2001:db8:0:\(String(count % 101, radix: 16))::1"
            case .botnet: "198.51.\(count / 250 % 12).\(count % 250)"
            case .neighbour: "192.0.2.1"
            }
        }
    }

    @Test("Beside a full server a hundred of a hundred persons sign in, each in 30 seconds", arguments: Attack.allCases)
    func beside(_ attack: Attack) async throws {
        let fixture = try await ProviderFixture(Self.small)
        var count = 0
        func strike(_ pages: Int) async throws {
            for _ in 0..<pages {
                _ = try? await fixture.authorize(from: attack.address(count))
                count += 1
            }
        }
        try await strike(220)
        fixture.server.clock.advance(by: .seconds(30))
        var signedIn = 0
        for _ in 0..<25 {
            var begun: [(page: OpenSignIn, browser: String, id: CeremonyID)] = []
            for person in 0..<4 {
                let address = attack == .neighbour ? attack.address(0) : "203.0.113.\(person)"
                guard let (page, browser) = try? await fixture.open(from: address) else { continue }
                let code = try await fixture.services.starter.begin(.code, in: page, client: ClientContext())
                begun.append((page, browser, code.id))
            }
            fixture.server.clock.advance(by: .seconds(30))
            try await strike(20)
            for (page, browser, id) in begun {
                try await fixture.confirm(id)
                let cookies = ProviderFixture.cookies(browser: browser)
                guard let entry = try await fixture.services.signIns.session(page.session.id, browser: cookies) else {
                    continue
                }
                let answer = try await fixture.services.signIns.finish(entry, client: ClientContext())
                if answer.query["code"] != nil { signedIn += 1 }
            }
        }
        #expect(signedIn == 100)
        let now = fixture.server.clock.now()
        let open = try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.openRequests(.page, after: now).count
        }
        #expect(open <= 200)
    }

    @Test("What is pushed in the name of a client without a proof is kept for each sender, and bounded over all")
    func pushed() async throws {
        let fixture = try await ProviderFixture(Self.small)
        func push(from address: String) async throws -> String {
            let fields = try #require(
                ProviderFixture.request([
                    "client_id": "app", "redirect_uri": "http://127.0.0.1:8123/back", "scope": "openid",
                ]))
            let request = ClientRequest(
                fields: fields, authorization: nil, address: ProviderFixture.issuer + "/oauth2/par",
                client: ClientContext(address: address))
            let answer = try fixture.object(try await fixture.push(request))
            return try answer.string("request_uri")
        }
        var opened = 0
        for _ in 0..<10 {
            guard let own = try? await push(from: "192.0.2.1") else { continue }
            for count in 0..<150 { _ = try? await push(from: "198.51.100.\(count % 2)") }
            let answer = try? await fixture.services.authorization.authorize(
                try #require(OpenIDFields([(name: "client_id", value: "app"), (name: "request_uri", value: own)])),
                browser: ProviderFixture.cookies(browser: nil), client: ClientContext(address: "192.0.2.1"))
            if answer?.signIn != nil { opened += 1 }
        }
        #expect(opened == 10)
    }

    // MARK: - The rule, at the size of a server

    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private static func page(_ number: Int, from network: String, age: Double) -> OpenRequest {
        OpenRequest(
            id: [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)], network: network,
            expiresAt: now + .seconds(600) - .seconds(age))
    }

    private func surplus(of open: [OpenRequest]) async throws -> Set<OpenRequest> {
        let bound = OpenRequestBound(
            .page, OpenIDSettings.Provider(), transactions: fixture.server.openID,
            clock: fixture.server.clock)
        return Set(bound.surplus(of: open, at: Self.now))
    }

    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    @Test(
        "A hundred addresses that fill a server take no page of a minute from a company of which eight sign in each second"
    )
    func company() async throws {
        let flood = (0..<20_000).map { Self.page($0, from: "198.51.100.\($0 % 100)", age: Double($0) * 0.03) }
        let company = (0..<480).map { Self.page(20_000 + $0, from: "192.0.2.1", age: Double($0) / 8) }
        let gone = try await surplus(of: flood + company)
        #expect(gone.count == 1_480)
        #expect(gone.isDisjoint(with: company))
    }

    @Test("A line with 256 networks /64 keeps no more than its share, and its neighbours in the same /48 theirs")
    func line() async throws {
        let flood = (0..<20_000).map {
            Self.page($0, from: "2001:db8:0:\(String($0 % 256, radix: 16))::/64", age: Double($0) * 0.03)
        }
        let neighbour = Self.page(20_000, from: "2001:db8:0:100::/64", age: 500)
        let gone = try await surplus(of: flood + [neighbour])
        #expect(gone == Set(flood[4_000...]))
    }
}
