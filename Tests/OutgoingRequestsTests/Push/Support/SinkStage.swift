import AsyncHTTPClient
import Foundation
import HTTPEngine
import Hummingbird
import Logging
import NIOCore
import NIOSSL
import PushSink
import ServerCore
import ServerPush
import StrictJSON
import TestSupport
import Testing

/// A running push sink with real TLS, and a dispatcher whose configuration points to it.
struct SinkStage: Sendable {
    let origin: String
    let account: SinkAccount
    let authorityPEM: String
    let timer: VirtualTimer
    let clock: ManualClock
    let log: RecordedLog
    let client: LocalClient

    /// Runs the sink for the time of `body`.
    static func run(
        limits: RequestLimits = PushSink.limits, _ body: @escaping @Sendable (SinkStage) async throws -> Void
    ) async throws {
        let authority = try LoopbackAuthority.make(now: Date.now)
        let identity = try authority.identity(now: Date.now).identity
        let account = try SampleAccount.account()
        let (clock, log) = (ManualClock(), RecordedLog())
        let sink = PushSink(account: account, clock: clock, random: SystemRandomSource(), logger: log.logger)
        try await ListeningApplication.run(
            make: { started in
                try sink.application(
                    address: ListenerAddress(host: "127.0.0.1", port: 0), identity: identity, limits: limits,
                    started: started)
            },
            body: { origin in
                try await LocalClient.with(origin: origin, authorityPEM: authority.certificatePEM) { client in
                    try await body(
                        SinkStage(
                            origin: origin, account: account, authorityPEM: authority.certificatePEM,
                            timer: VirtualTimer(), clock: clock, log: log, client: client))
                }
            })
    }

    /// A dispatcher that sends to the sink.
    func dispatcher(
        plan: RetryPlan = .patient, log: RecordedLog? = nil, _ change: (inout FirebaseSettings) -> Void = { _ in }
    ) throws -> PushDispatcher {
        var settings = FirebaseSettings(serviceAccountFile: "")
        settings.endpoint = origin
        change(&settings)
        return try PushDispatcher(
            settings: settings, account: account.json(origin: origin), trustedCertificates: Array(authorityPEM.utf8),
            plan: plan,
            ports: .init(clock: clock, timer: timer, random: SystemRandomSource(), logger: (log ?? self.log).logger))
    }

    /// What the sink sends to a client that sends these octets and nothing else, until the sink ends the connection.
    func answer(toOctets text: String) async throws -> String {
        let port = try #require(URL(string: origin)?.port)
        return try await RawSinkConnection.answer(to: text, port: port, trusting: authorityPEM)
    }

    /// How many access tokens the sink has given out.
    var grantCount: Int { log.lines.count { $0.contains("access granted") } }

    // MARK: - The phone's and the operator's side

    /// Registers a phone and gives its registration token.
    func register() async throws -> String {
        try await client.post("/sink/devices").asObject().string("registrationToken")
    }

    /// The messages that wait for a phone.
    func messages(for token: String, after number: Int = 0, wait: Int = 0) async throws -> [JSONObject] {
        let answer = try await client.get("/sink/devices/\(token)/messages?after=\(number)&wait=\(wait)")
        return try answer.asObject().required("messages") { value throws(JSONTypeError) in
            try value.asArray { element throws(JSONTypeError) in try element.asObject() }
        }
    }

    /// What the push service has seen.
    func sightings() async throws -> [JSONObject] {
        try await client.get("/sink/messages").asObject().required("messages") { value throws(JSONTypeError) in
            try value.asArray { element throws(JSONTypeError) in try element.asObject() }
        }
    }

    /// Tells the sink how to answer.
    func behave(_ members: JSONObject) async throws {
        _ = try await client.post("/sink/behaviour", members)
    }
}

extension RetryPlan {
    /// Time enough on a slow machine: what a test wants to end early it ends itself.
    static let patient: RetryPlan = {
        var plan = RetryPlan()
        plan.attempt = .seconds(120)
        plan.deadline = .seconds(600)
        return plan
    }()
}
