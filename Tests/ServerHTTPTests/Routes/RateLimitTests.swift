import HTTPTypes
import HummingbirdTesting
import ServerCore
import Testing

@testable import ServerHTTP

@Suite("Routes: rate limits")
struct RateLimitTests {
    private static let path = "/nevisfido/uaf/1.1/request/authentication"

    @Test("An address that has used up its tokens gets 429 with Retry-After")
    func perAddress() async throws {
        var limits = RequestLimits.unhurried
        limits.perAddress = RateLimit(perSecond: 1, burst: 3)
        try await ServerFixture.open(limits: limits).test { client in
            var answers: [TestResponse] = []
            for _ in 0..<4 { answers.append(try await client.post(Self.path, #"{"op":"Auth","context":"{}"}"#)) }
            #expect(answers.map(\.status) == [.ok, .ok, .ok, .tooManyRequests])
            #expect(answers.last?.headers[.retryAfter] == "1")
        }
    }

    @Test("A neighbour who names a user again and again stops no sign-in, only registrations without a login")
    func perUser() async throws {
        var limits = RequestLimits.unhurried
        limits.perUser = RateLimit(perSecond: 1, burst: 3)
        try await ServerFixture.open(limits: limits) { $0.authorization.registration = .none }.test { client in
            // The form of the login is one request for anna.
            var login = HTTPFields()
            login[.cookie] = try await client.logIn()
            login[.origin] = "https://server.example"
            func statuses(
                _ service: String, _ operation: String, _ headers: HTTPFields = [:]
            ) async throws -> [HTTPResponse.Status] {
                var statuses: [HTTPResponse.Status] = []
                for name in ["anna", "anna", "anna", "bob"] {
                    let body = #"{"op":"\#(operation)","context":"{\"username\":\"\#(name)\"}"}"#
                    let path = "/nevisfido/uaf/1.1/request/" + service
                    statuses.append(try await client.post(path, body, headers: headers).status)
                }
                return statuses
            }
            let strangers = try await statuses("registration", "Reg")
            #expect(strangers == [.ok, .ok, .tooManyRequests, .ok])
            let registrations = try await statuses("registration", "Reg", login)
            #expect(registrations.prefix(3) == [.ok, .ok, .ok])
            let signIns = try await statuses("authentication", "Auth")
            #expect(signIns == [.ok, .ok, .ok, .ok])
        }
    }

    @Test("Twenty logins of one user at the same time are not refused")
    func parallel() async throws {
        try await ServerFixture.open().test { client in
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await client.post(Self.path, #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#).status
                    }
                }
                for try await status in group { #expect(status == .ok) }
            }
        }
    }
}
