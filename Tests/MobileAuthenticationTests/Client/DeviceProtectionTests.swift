import Foundation
import Locking
import MobileAuthenticationTestKit
import TamperGuards
import TestSupport
import Testing

@testable import MobileAuthentication

@Suite("Guards and the application's check of the device are asked before anything is done")
struct DeviceProtectionTests {
    private struct Tampering: Error {}

    /// Check that refuses from a moment on.
    private final class Check: Sendable {
        private let isRefusing = Lock(false)

        func refuse() { isRefusing.withLock { $0 = true } }

        func require() throws {
            if isRefusing.withLock({ $0 }) { throw Tampering() }
        }
    }

    /// Guard that always finds something.
    private struct WaryGuard: TamperGuard {
        let kind: GuardFinding.Kind

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            TamperGuardResult(findings: [GuardFinding(kind, "sample.finding", weight: 100, evidence: "by order")])
        }
    }

    private static let ofRelease = ConditionTrait.enabled(
        if: MetaData.flavor == .release, "in the debug flavour no guard runs")

    private let scratch: TemporaryFolder
    private let log = KeptLog()
    /// Without a word about guards.
    private let initializer: MobileAuthenticationClientInitializer

    init() throws {
        scratch = try TemporaryFolder()
        initializer = MobileAuthenticationClientInitializer()
            .configuration(Configuration(authCloudHostname: "server.example")).keyVault(.software).logger(log)
            .storeDirectory(URL(filePath: scratch.path + "/application"))
    }

    private var announcements: [String] { log.lines.filter { $0.contains("tampering") } }

    // MARK: - Guards

    @Test(
        "G-3: guards run after the import alone, and the log says whether findings have consequences",
        Self.ofRelease)
    func byDefault() async throws {
        _ = try await initializer.perform()
        try #require(announcements.count == 1)
        #if os(Linux)
            #expect(
                announcements[0].hasPrefix("warning client: Guards against tampering run, but findings are reported"))
        #else
            #expect(announcements == ["debug client: Guards against tampering run, and findings have consequences."])
        #endif
    }

    @Test("G-3: an application leaves the guards out by name only, and the log says so", Self.ofRelease)
    func byName() async throws {
        _ = try await initializer.deviceProtection {}.perform()
        #expect(announcements.count == 1 && announcements[0].contains("Guards against tampering run"))
        _ = try await initializer.deviceProtection(.none).perform()
        #expect(announcements.count == 2 && announcements[1].hasPrefix("warning client: No guard against tampering"))
    }

    @Test(
        "G-7: guards that throw keep a client from being made; a rooted device has an error of its own", Self.ofRelease,
        arguments: [GuardFinding.Kind.root, .virtualMachine])
    func guarded(kind: GuardFinding.Kind) async throws {
        var policy = GuardPolicy.reporting
        policy.enforcement = .always
        let guards = { (policy: GuardPolicy) in GuardNetwork(policy: policy, further: [WaryGuard(kind: kind)]) }
        _ = try await initializer.deviceProtection(.guards(guards(policy))).perform()
        #expect(announcements == ["debug client: Guards against tampering run, and findings have consequences."])
        policy[kind] = .throwError
        let error = await #expect(throws: InitializationError.self) {
            try await initializer.deviceProtection(.guards(guards(policy))).perform()
        }
        switch error {
        case .RootedError(let cause as TamperingError)? where kind == .root: #expect(cause.kinds == [.root])
        case .DeviceProtectionError(let cause as TamperingError)? where kind != .root: #expect(cause.kinds == [kind])
        default: Issue.record("another error: \(String(describing: error))")
        }
    }

    // MARK: - Checks of the application

    @Test("A check that throws keeps a client from being made, and is the cause")
    func initialization() async throws {
        let error = await #expect(throws: InitializationError.self) {
            try await initializer.deviceProtection { throw Tampering() }.perform()
        }
        guard case .DeviceProtectionError(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause is Tampering)
    }

    @Test("A check that throws later ends operations with the same case; one that does not lets them begin")
    func operations() async throws {
        let check = Check()
        let client = try await initializer.deviceProtection { try check.require() }.perform()
        let before = await #expect(throws: PinChangeError.self) {
            try await client.operations.pinChange.username("absent").perform()
        }
        if case .DeviceProtectionError? = before { Issue.record("the check has refused nothing yet") }
        check.refuse()
        let change = await #expect(throws: PinChangeError.self) {
            try await client.operations.pinChange.username("absent").perform()
        }
        guard case .DeviceProtectionError(let cause)? = change else {
            Issue.record("another error: \(String(describing: change))")
            return
        }
        #expect(cause is Tampering)
        let signIn = await #expect(throws: AuthenticationError.self) {
            try await client.operations.authentication.username("absent").perform()
        }
        #expect(signIn?.cause is Tampering)
    }

    @Test("G-8: operations with every server end with the same case for each, ask none, and repair nothing")
    func everyServer() async throws {
        let check = Check()
        let phone = try await TestPhone { $0.protection.check = { try check.require() } }
        try await phone.register()
        phone.backend.script { $0.devices.records[0].name = "renamed" }
        let operations = phone.client.operations
        let honest = await operations.deviceInformationCheck.perform()
        #expect(honest.errors.isEmpty && honest.mismatches.count == 1)
        #expect(await operations.pendingOutOfBandOperations.perform().errors.isEmpty)
        check.refuse()
        let requests = phone.backend.requests.count
        var errors = await operations.deviceInformationCheck.perform().errors
        errors += await operations.deviceInformationSync.mismatches(honest.mismatches).perform().errors
        errors += await operations.pendingOutOfBandOperations.perform().errors
        #expect(errors.count == 3)
        for error in errors {
            guard case .DeviceProtectionError(let server, let cause) = error else {
                Issue.record("another error: \(error)")
                continue
            }
            #expect(server.baseUrl.absoluteString == ScriptedBackend.address && cause is Tampering)
        }
        #expect(phone.backend.requests.count == requests)
        #expect(phone.client.localData.deviceInformation?.name == "phone")
    }
}
