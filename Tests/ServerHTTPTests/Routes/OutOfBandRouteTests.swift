import BackendAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerCore
import TestSupport
import Testing
import UAF

@testable import ServerHTTP

@Suite("Routes: out of band")
struct OutOfBandRouteTests {
    private static let key = "portal-key-0123456789-0123456789-0123456789"

    private func open(
        conformance: Bool = false, limits: RequestLimits = .unhurried
    ) async throws -> ServerFixture {
        try await ServerFixture.open(limits: limits) { settings in
            settings.conformance = conformance
            if let name = AccessKeyName("portal"), var key = AccessKey(name: name, key: Self.key) {
                key.rights.scopes = Set(AccessKeyScope.allCases)
                settings.outOfBand.accessKeys = [key]
            }
        }
    }

    private func dispatch(
        _ client: ServiceClient, key: String? = Self.key, to root: String = "/nevisfido"
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.authorization] = key.map { "Bearer \($0)" }
        let request = DispatchRequest(GetUAFRequest(AuthenticationContext()), dispatcher: .link)
        return try await client.post(
            root + "/token/dispatch/authentication", request.body, type: "application/json",
            accept: "application/json", headers: headers)
    }

    @Test(
        "An access key dispatches, under both roots; nothing and a wrong one do not",
        arguments: ["/nevisfido", "/_app"])
    func dispatching(root: String) async throws {
        try await open().test { client in
            let answer = try await dispatch(client, to: root)
            #expect(try answer.text("dispatchResult") == "dispatched")
            #expect(try await dispatch(client, key: nil, to: root).status == .unauthorized)
            #expect(try await dispatch(client, key: "wrong", to: root).status == .unauthorized)
        }
    }

    @Test("A token is redeemed with POST only, and its session's status is told")
    func redeeming() async throws {
        try await open().test { client in
            let answer = try await dispatch(client)
            let body = RedeemRequest(token: try answer.text("token")).body
            let path = "/nevisfido/token/redeem/authentication"
            let wrong = try await client.client.execute(uri: path, method: .get)
            #expect(wrong.status == .methodNotAllowed && wrong.headers[.allow] == "POST")
            let redeemed = try await client.post(path, body, type: "application/json")
            #expect(redeemed.uafStatus == 1200)
            #expect(redeemed.status == .ok)
            let types = Endpoint.redeemToken(.authentication).responseTypes.map(\.fieldValue)
            #expect(types.count == 1 && redeemed.headers[.contentType] == types.first)
            #expect(try await client.post(path, body, type: "application/json").uafStatus == 1491)
            #expect(try await client.post(path, "{}", type: "application/json").status == .badRequest)
            let question = StatusRequest(sessionID: try answer.text("sessionId")).body
            let status = try await client.post(
                "/nevisfido/status", question, type: "application/json", accept: "application/json",
                headers: [.authorization: "Bearer \(Self.key)"])
            let stranger = try await client.post(
                "/nevisfido/status", question, type: "application/json", accept: "application/json")
            #expect(stranger.status == .unauthorized, "S-L8: the status asks for authorization by default")
            #expect(try status.text("status") == "clientAuthenticating")
        }
    }

    @Test("SA-22: A key begins what its scopes name: by default authentications, and nothing that gives or takes keys")
    func scopes() async throws {
        let scopes: [Set<AccessKeyScope>] = [
            AccessKeyScope.standard, [.dispatchAuthentication], [.dispatchRegistration], [.dispatchDeregistration],
            [.enroll],
        ]
        let keys = try scopes.enumerated().map { number, scopes in
            let name = try #require(AccessKeyName("k\(number)"))
            var key = try #require(AccessKey(name: name, key: "\(number)" + Self.key))
            key.rights.scopes = scopes
            return key
        }
        let allowed: [Set<String>] = [
            ["authentication", "targets"], ["authentication"], ["registration"], ["deregistration"], [],
        ]
        let server = try await ServerFixture.open { $0.outOfBand.accessKeys = keys }
        try await server.test { client in
            for (number, allowed) in allowed.enumerated() {
                let headers: HTTPFields = [.authorization: "Bearer \(number)\(Self.key)"]
                for (operation, op) in [
                    ("registration", "Reg"), ("authentication", "Auth"), ("deregistration", "Dereg"),
                ] {
                    let request = #"{"op":"\#(op)","context":"{\"username\":\"anna\"}"}"#
                    for (path, body) in [
                        ("create", request), ("dispatch", #"{"dispatcher":"link","getUafRequest":\#(request)}"#),
                    ] {
                        let answer = try await client.post(
                            "/nevisfido/token/\(path)/\(operation)", body, type: "application/json",
                            accept: "application/json", headers: headers)
                        #expect(
                            (answer.status == .forbidden) != allowed.contains(operation),
                            "\(number) \(path) \(operation)")
                    }
                }
                let listed = try await client.client.execute(
                    uri: "/nevisfido/token/dispatch/targets?username=anna", method: .get, headers: headers)
                #expect((listed.status == .forbidden) != allowed.contains("targets"), "\(number)")
            }
        }
    }

    @Test("A deregistration token without a user is refused when it is made, and the answer says which member helps")
    func deregistrationToken() async throws {
        try await open().test { client in
            let (path, json) = ("/nevisfido/token/create/deregistration", "application/json")
            let headers: HTTPFields = [.authorization: "Bearer \(Self.key)"]
            let unnamed = #"{"op":"Dereg","context":"{\"mode\":\"username\"}"}"#
            let refused = try await client.post(path, unnamed, type: json, accept: json, headers: headers)
            #expect(refused.status == .badRequest)
            #expect(try refused.text("message").contains("context.username"))
            let named = #"{"op":"Dereg","context":"{\"username\":\"anna\",\"mode\":\"username\"}"}"#
            let created = try await client.post(path, named, type: json, accept: json, headers: headers)
            #expect(created.status == .ok)
            #expect(try created.text("token").count == 36)
        }
    }

    @Test("O-H3: Redemption and the routes of the conformance tool are 503 while nothing can be written, then go on")
    func fullDisk() async throws {
        let server = try await open(conformance: true)
        try await server.test { client in
            let token = RedeemRequest(token: try await dispatch(client).text("token")).body
            let (json, asked) = ("application/json", #"{"op":"Reg","context":"{\"username\":\"jeff\"}"}"#)
            let redemption = "/nevisfido/token/redeem/authentication"
            let registration = try await client.post(
                "/get", asked.replacing("jeff", with: "anna"), type: json, accept: json)
            let response = try answer(to: try registration.text("uafRequest"), with: server.authenticator)
            server.database.set { $0.failsCommits = true }
            let refused = [
                try await client.post(redemption, token, type: json),
                try await client.post("/get", asked, type: json, accept: json),
                try await client.post("/respond", response, type: json, accept: json),
            ]
            for answer in refused {
                #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] != nil)
                #expect(answer.uafStatus == nil)
            }
            server.database.set { $0.failsCommits = false }
            #expect(try await client.post(redemption, token, type: json).uafStatus == 1200)
            #expect(try await client.post("/get", asked, type: json, accept: json).uafStatus == 1200)
            #expect(try await client.post("/respond", response, type: json, accept: json).uafStatus == 1200)
        }
    }

    /// The body that answers a registration request.
    private func answer(to message: String, with authenticator: SyntheticAuthenticator) throws -> [UInt8] {
        guard case .registration(let request) = try OperationRequest(message: Array(message.utf8)) else {
            throw ServerFixture.FixtureFault()
        }
        let phone = SyntheticClient(facet: try #require(FacetID(ServerFixture.facet)))
        let response = try phone.answer(request, with: [authenticator])
        return SendUAFResponse(uafResponse: String(decoding: response, as: UTF8.self)).body
    }

    @Test("A user who cannot be asked now is a 429 with the time to wait; quiet hours have a code of their own")
    func notNow() {
        let busy = RequestRefusal(ServerError.tooManyOperations(retryAfter: .seconds(15)))
        #expect(busy.status == .tooManyRequests && busy.code == .tooManyOperations)
        #expect(busy.headers[.retryAfter] == "15")
        let quiet = RequestRefusal(ServerError.quietHours(retryAfter: .seconds(19_800)))
        #expect(quiet.status == .tooManyRequests && quiet.code == .quietHours)
        #expect(quiet.headers[.retryAfter] == "19800")
    }

    @Test("An address that tries tokens is slowed down; a phone behind it redeems the token that it has")
    func guessing() async throws {
        var limits = RequestLimits.unhurried
        limits.perUser = RateLimit(perSecond: 1, burst: 5)
        try await open(limits: limits).test { client in
            let path = "/nevisfido/token/redeem/authentication"
            let good = RedeemRequest(token: try await dispatch(client).text("token")).body
            var refused = 0
            for number in 0..<10 {
                let answer = try await client.post(
                    path, RedeemRequest(token: "guess-\(number)").body, type: "application/json")
                refused += answer.status == .tooManyRequests ? 1 : 0
            }
            #expect(refused == 5)
            #expect(try await client.post(path, good, type: "application/json").uafStatus == 1200)
        }
    }

    @Test("A target is made by its owner, listed for the portal, renamed by JWS and refused a replay")
    func targets() async throws {
        let server = try await open()
        let device = try SyntheticDevice()
        try await server.test { client in
            var headers = HTTPFields()
            headers[.cookie] = try await client.logIn()
            headers[.origin] = "https://server.example"
            let targets = "/nevisfido/token/dispatch/targets"
            let creation = try device.creation(of: device.target(), at: "https://server.example").body
            let created = try await client.post(
                targets, creation, type: "application/json", accept: "application/json", headers: headers)
            #expect(created.status == .created)
            let doubled = try await client.post(
                targets, creation, type: "application/json", accept: "application/json", headers: headers)
            #expect(doubled.status == .unprocessableContent)
            #expect(try doubled.text("code") == "dispatchTargetNameInUse")
            let id = try created.text("id")
            let list = try await client.client.execute(
                uri: targets + "?username=anna", method: .get, headers: [.authorization: "Bearer \(Self.key)"])
            #expect(list.status == .ok && String(buffer: list.body).contains(id))
            for query in ["", "?username=", "?username=anna%00"] {
                #expect(try await client.client.execute(uri: targets + query, method: .get).status == .badRequest)
            }
            let claims = DeviceClaims(
                dispatchTargetID: id, requestID: "r", creationTime: server.clock.now().milliseconds,
                audience: "https://server.example\(targets)/\(id)", method: .patch)
            let change = try device.signed(DispatchTargetChange(claims, name: DeviceName("Tablet")))
            for expected in [HTTPResponse.Status.noContent, .unauthorized] {
                let answer = try await client.client.execute(
                    uri: targets + "/" + id, method: .patch, headers: [.contentType: "application/jose;charset=UTF-8"],
                    body: ByteBuffer(string: change))
                #expect(answer.status == expected)
            }
        }
    }

    @Test("A device reads its state by a path with escapes; without a signature it gets nothing, a wrong clock is told")
    func devices() async throws {
        let server = try await open()
        let device = try SyntheticDevice("org.signet.demo#1/ä")
        try await server.test { client in
            var headers = HTTPFields()
            headers[.cookie] = try await client.logIn()
            headers[.origin] = "https://server.example"
            let created = try await client.post(
                "/nevisfido/token/dispatch/targets",
                try device.creation(of: device.target(), at: "https://server.example").body,
                type: "application/json", accept: "application/json", headers: headers)
            let path = "/nevisfido" + Endpoint.deviceCredentials.path(naming: device.id.text)
            let unsigned = try await client.client.execute(uri: path, method: .get)
            #expect(unsigned.status == .unauthorized)
            for (skew, status) in [(Int64(0), HTTPResponse.Status.ok), (-1_000_000, .unauthorized)] {
                let claims = DeviceClaims(
                    dispatchTargetID: try created.text("id"), requestID: "r\(skew)",
                    creationTime: server.clock.now().milliseconds + skew,
                    audience: "https://server.example" + path, method: .get)
                let name = try #require(HTTPField.Name(Endpoint.deviceSignatureField))
                let answer = try await client.client.execute(
                    uri: path, method: .get,
                    headers: [name: try device.signed(DeviceRequest(claims)), .accept: "application/jose"])
                #expect(answer.status == status)
                if status == .ok {
                    let opened = try device.opened(String(buffer: answer.body))
                    #expect(try DeviceCredentials(body: opened).deviceID == device.id)
                } else {
                    #expect(try answer.text("code") == "clockSkewTooBig")
                }
            }
        }
    }
}
