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

    @Test("A user name that was asked for too often gets 429, another one does not")
    func perUser() async throws {
        var limits = RequestLimits.unhurried
        limits.perUser = RateLimit(perSecond: 1, burst: 2)
        try await ServerFixture.open(limits: limits).test { client in
            var statuses: [HTTPResponse.Status] = []
            for name in ["anna", "anna", "anna", "bob"] {
                let body = #"{"op":"Auth","context":"{\"username\":\"\#(name)\"}"}"#
                statuses.append(try await client.post(Self.path, body).status)
            }
            #expect(statuses == [.ok, .ok, .tooManyRequests, .ok])
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
