import BackendAPI
import BackendTransport
import Synchronization
import Testing

@testable import MobileAuthentication

@Suite("An overloaded server: what is repeated, when, and what never is")
struct RetryingTransportTests {
    /// Server that answers in turn with what it is given, and with the last of it for ever.
    private final class TurningServer: HTTPTransport {
        private let answers: [BackendResponse]
        private let taken = Mutex<[BackendRequest]>([])

        var requests: [BackendRequest] { taken.withLock { $0 } }

        init(_ answers: [BackendResponse]) {
            self.answers = answers
        }

        func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            let number = taken.withLock { requests in
                requests.append(request)
                return requests.count
            }
            return answers[min(number, answers.count) - 1]
        }
    }

    /// Whether an exchange has ended.
    private final class Ending: Sendable {
        private let state = Mutex(false)

        var hasCome: Bool { state.withLock { $0 } }

        func come() { state.withLock { $0 = true } }
    }

    private static let done = BackendResponse(status: 200)
    private let clock = ManualClock()

    private static func refusal(_ code: ErrorCode = .overloaded, retryAfter: String? = "3") -> BackendResponse {
        let body = ErrorBody(timestamp: 0, status: 503, code: code, message: "m", path: "/", traceID: "t")
        let headers = HeaderFields(retryAfter.map { [HeaderFields.Field("Retry-After", $0)] } ?? [])
        return BackendResponse(status: 503, headers: headers, body: body.body)
    }

    private static func request(_ method: BackendRequest.Method = .post, signed: Bool = false) -> BackendRequest {
        let headers = HeaderFields(signed ? [HeaderFields.Field(Endpoint.deviceSignatureField, "a.b.c")] : [])
        return BackendRequest(method, "https://server.example/a", headers: headers, timeout: .seconds(30))
    }

    /// The status that comes in the end, and how often the server was asked; time passes for every wait.
    private func exchange(
        _ request: BackendRequest, _ answers: [BackendResponse], chance: Double = 0
    ) async throws -> (status: Int, requests: [BackendRequest]) {
        let server = TurningServer(answers)
        let transport = RetryingTransport(server, clock: clock) { chance }
        let ending = Ending()
        return try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask {
                defer { ending.come() }
                return try await transport.response(to: request).status
            }
            group.addTask { [clock] in
                while !ending.hasCome {
                    if clock.sleeperCount > 0 { await clock.advance(by: .seconds(1)) } else { await Task.yield() }
                }
                return nil
            }
            var status: Int?
            for try await value in group where value != nil { status = value }
            return (status ?? 0, server.requests)
        }
    }

    @Test("A request that the server has not begun with is sent again after the time that it names")
    func repeated() async throws {
        let (status, requests) = try await exchange(Self.request(), [Self.refusal(), Self.done])
        #expect(status == 200 && requests.count == 2)
        #expect(clock.now == .seconds(3))
        #expect(requests.last?.timeout == .seconds(27), "all together have the time of one")
    }

    @Test("A random part is added, at most half of the time")
    func jitter() async throws {
        let (status, _) = try await exchange(Self.request(), [Self.refusal(retryAfter: "4"), Self.done], chance: 0.99)
        #expect(status == 200)
        #expect(clock.now == .seconds(6))
    }

    @Test("After two repetitions the refusal is the answer")
    func bounded() async throws {
        let (status, requests) = try await exchange(Self.request(), [Self.refusal()])
        #expect(status == 503 && requests.count == 3)
    }

    @Test("A wait that is too long, or that the time-out does not leave room for, is not begun")
    func tooLong() async throws {
        for retryAfter in ["11", "3600"] {
            let answers = [Self.refusal(retryAfter: retryAfter), Self.done]
            let (status, requests) = try await exchange(Self.request(), answers)
            #expect(status == 503 && requests.count == 1)
        }
        var short = Self.request()
        short.timeout = .seconds(3)
        #expect(try await exchange(short, [Self.refusal(), Self.done]).requests.count == 1)
        #expect(clock.now == .zero)
    }

    @Test("A device that sleeps through the wait and the time-out sends nothing with a time-out that is over")
    func suspended() async throws {
        let server = TurningServer([Self.refusal(), Self.done])
        let transport = RetryingTransport(server, clock: clock)
        let task = Task { try await transport.response(to: Self.request()).status }
        while clock.sleeperCount == 0 { await Task.yield() }
        await clock.advance(by: .seconds(3_600))
        #expect(try await task.value == 503)
        #expect(server.requests.count == 1)
    }

    @Test("What may have been executed is not sent twice, and nothing without a time to wait")
    func neverTwice() async throws {
        let unclear = Self.refusal(.unavailable)
        #expect(try await exchange(Self.request(), [unclear, Self.done]).requests.count == 1)
        #expect(try await exchange(Self.request(.delete), [unclear, Self.done]).requests.count == 1)
        #expect(try await exchange(Self.request(.get, signed: true), [unclear, Self.done]).requests.count == 1)
        for retryAfter in [nil, "soon", "-1"] {
            let answers = [Self.refusal(retryAfter: retryAfter), Self.done]
            #expect(try await exchange(Self.request(), answers).requests.count == 1)
        }
        let proxy = BackendResponse(
            status: 503, headers: HeaderFields([HeaderFields.Field("Retry-After", "1")]), body: Array("<html>".utf8))
        #expect(try await exchange(Self.request(), [proxy, Self.done]).requests.count == 1)
    }

    @Test("An unsigned reading is repeated after any refusal, and a signed one that was not begun with")
    func readings() async throws {
        #expect(try await exchange(Self.request(.get), [Self.refusal(.unavailable), Self.done]).status == 200)
        #expect(try await exchange(Self.request(.get, signed: true), [Self.refusal(), Self.done]).status == 200)
    }

    @Test("The error of an application names the time that the server asks for, where it is a number")
    func errors() {
        #expect(HTTPStatusError(Self.refusal()).retryAfterSeconds == 3)
        for retryAfter in [nil, "-1", "Sun, 06 Nov 1994 08:49:37 GMT"] {
            #expect(HTTPStatusError(Self.refusal(retryAfter: retryAfter)).retryAfterSeconds == nil)
        }
    }

    @Test("Cancelling the task ends the wait")
    func cancellation() async throws {
        let transport = RetryingTransport(TurningServer([Self.refusal()]), clock: clock)
        let task = Task { () -> BackendTransportError? in
            do throws(BackendTransportError) {
                _ = try await transport.response(to: Self.request())
                return nil
            } catch {
                return error
            }
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
