import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import Linearizability
import TestSupport
import Testing
import UAF

/// The configuration of HAProxy in `docs/operate/operations.md`, before two server processes.
@Suite("Two server processes behind HAProxy, as docs/operate/operations.md sets it up", .serialized)
struct BehindHAProxyTests {
    @Test(
        "HAProxy finds nothing wrong and nothing doubtful in the documented configuration",
        arguments: HAProxy.Layout.allCases)
    func documented(layout: HAProxy.Layout) async throws {
        let folder = try CommandSupport.TemporaryFolder(named: "signet-haproxy")
        let server = try LocalServer(
            program: try Installation.builtPrograms().server, folder: folder.url.appending(path: "server"), port: 8443,
            managementPort: 9089)
        let second = LocalServer(beside: server, port: 8444, managementPort: 9090)
        let proxy = try HAProxy(in: folder.url, at: 443, before: [server, second], layout)
        let answer = try await proxy.examination()
        let words = answer.output + answer.complaints
        #expect(answer.code == 0, "\(words)")
        #expect(!words.contains("WARNING") && !words.contains("ALERT"), "\(words)")
    }

    @Test("Phones sign in through it where the channel binding is required; past it no phone gets an answer")
    func channelBinding() async throws {
        let pair = try await ServerPair(
            further: "fido-uaf: { channel-binding: { rule: required } }\n", behindProxy: .oneMachine)
        let proxy = try #require(pair.proxy)
        let installation = pair.installation
        try await pair.first.addUser("anna", password: Installation.password)
        let phone = PhoneProcess(
            program: installation.programs.phone, folder: installation.scratch.url.appending(path: "phone"),
            logs: installation.scratch.url)
        let made = try await phone.run(
            "init",
            ["--server", proxy.address, "--ca", pair.first.authorityFile.path(), "--keys", "software"])
        #expect(made.isDone, "\(made.message)")
        let registration = try await installation.register(phone, "anna")
        #expect(registration.isDone, "\(registration.message)")
        for _ in 0..<4 {
            let login = try await installation.authenticate(phone, "anna")
            #expect(login.isDone, "\(login.message)")
        }
        let past = BackendRequest(.get, pair.first.address + Endpoint.keySet.path)
        let transport = try pair.first.transport()
        await #expect(throws: BackendTransportError.self) { try await transport.response(to: past) }
    }

    @Test("New connections reach a server at once when the other one is killed", arguments: HAProxy.Layout.allCases)
    func failover(layout: HAProxy.Layout) async throws {
        let pair = try await ServerPair(behindProxy: layout)
        let proxy = try #require(pair.proxy)
        await pair.kill(0)
        // Each transport has connections of its own; half of them would have gone to the one that is not there.
        for _ in 0..<8 {
            let request = BackendRequest(.get, proxy.address + Endpoint.keySet.path)
            #expect(try await pair.second.transport().response(to: request).status == 200)
        }
    }

    @Test("SRV-22: a new certificate, new keys and a drain fail no request and no sign-in", .timeLimit(.minutes(10)))
    func changesUnderLoad() async throws {
        let folder = try CommandSupport.TemporaryFolder(named: "signet-changes")
        let metadata = folder.url.appending(path: "metadata.json")
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document).write(to: metadata)
        let pair = try await ServerPair(
            server: ["drain-time: 3s", "rate-limit: { per-user: { per-second: 1000, burst: 1000 } }"],
            further: try ServerPair.accessKeySetting(in: folder.url) + "authorization: { registration: none }\n"
                + "fido-uaf:\n  metadata: { path: \(metadata.path()) }\n"
                + "  dispatchers: [{ type: link, base-url: \"signet://open\" }]\n",
            behindProxy: .oneMachine)
        let proxy = try #require(pair.proxy)
        let user = try LoadUser("rolling", seed: 1)
        try await pair.first.addUser(user.name, password: Installation.password)
        let connection = try LoadConnection(to: pair.first, through: proxy, running: pair.process(0))
        try await user.begin(connection)
        let load = RollingLoad(address: proxy.address) { try pair.first.transport() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { try await load.ask() }
                group.addTask { try await load.wait() }
            }
            group.addTask { try await load.signIn(user, over: connection) }
            try await pair.changeCertificate()
            #expect(try await pair.first.administer("keys rotate", ["-m", "a test"]).isDone)
            // New keys are used a minute after they were made.
            let time = SlowTests.size("SIGNET_KEY_ROTATION_SECONDS", sample: 1, whole: 75)
            try await Task.sleep(for: .seconds(time))
            for number in 0..<2 { try await pair.restart(number) }
            load.end()
            try await group.waitForAll()
        }
        #expect(load.failures.isEmpty, "of \(load.answerCount) requests")
        #expect(load.answerCount > 200)
        #expect(await user.acceptedCount > 50)
    }

    @Test(
        "SRV-REL-1: a process is killed, PostgreSQL restarted: nothing acknowledged lost, nothing accepted twice",
        .timeLimit(.minutes(300)))
    func killed() async throws {
        let run = try HistoryRun(behindProxyOn: try HistoryDatabase(.postgreSQL))
        let outcome = try await run.outcome()
        outcome.requireProof()
        #expect(outcome.pauses.blows.count == 4, "\(outcome.pauses)")
        #expect(outcome.pauses.endCount == 0, "the service did not come back: \(outcome.pauses)")
        if SlowTests.areWanted { #expect(outcome.report.operationCount >= 100_000, "\(outcome.report)") }
        print("behind HAProxy, two processes on PostgreSQL, \(run.roundCount) blows: \(outcome.report)")
        print("\(outcome.pauses)")
    }
}
