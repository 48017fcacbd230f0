import BackendAPI
import HTTPTypes
import Hummingbird
import LoadControl
import Logging
import NIOCore
import Octets
import ServerCore
import TestSupport
import Testing
import UAF

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("Admission of requests: which step a service is, and what the metrics show")
struct RequestAdmissionTests {
    private static let management: [Endpoint] = [.liveness, .health, .metrics]

    @Test("Documents are always served; what goes on with a ceremony or ends something goes before what begins one")
    func steps() {
        let services = (Endpoint.services + Endpoint.webSiteServices).filter { !Self.management.contains($0) }
        #expect(
            Set(services.filter { $0.admissionStep == nil }) == [
                .facets, .keySet, .openIDConfiguration, .openIDKeySet, .receiptKeySet, .openAPIDocument, .pageStyle,
                .pageLogo,
                .pageScript, .webScript,
            ])
        let further = services.filter { $0.admissionStep == .further }.map(\.path)
        #expect(
            Set(further) == [
                "/uaf/1.1/registration", "/uaf/1.1/authentication", "/auth/fidouaf/authenticationresponse",
                "/auth/authenticationresponse", "/attestation/proof", "/token/redeem/registration",
                "/token/redeem/authentication", "/token/redeem/deregistration", "/status", "/auth/logout", "/respond",
                "/sign-in/{session}", "/oauth2/token", "/oauth2/revoke", "/oauth2/logout",
                Endpoint.signInStatus.path, Endpoint.signInCode.path, Endpoint.transactionStatus.path,
                Endpoint.deviceSession.path,
            ])
        for endpoint in [Endpoint.authenticationRequest, .passwordLogin, .dispatchToken(.authentication)] {
            #expect(endpoint.admissionStep == .first, "\(endpoint.path)")
        }
    }

    @Test("The first step that a connection was made for is let in where one on an older connection is refused")
    func behindHandshake() {
        let load = LoadStage().controller(inFlight: 8) {
            $0.inFlight = 10
            $0.leastInFlight = 10
        }
        let request = Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/"),
            body: RequestBody(buffer: ByteBuffer()))
        /// Each from an address of its own.
        func isRefused(_ step: Admission.Step, isNew: Bool, from address: String) -> Bool {
            let connection = ConnectionOrigin(nil)
            connection.isNew = isNew
            return RequestAdmission(load: load).refusal(
                at: step, of: request, from: IPAddress(address), on: connection)
                != nil
        }
        #expect(isRefused(.first, isNew: false, from: "198.51.100.1"))
        #expect(!isRefused(.first, isNew: true, from: "198.51.100.1"))
        #expect(isRefused(.first, isNew: true, from: "198.51.100.2"), "nine are in flight")
        #expect(!isRefused(.further, isNew: true, from: "198.51.100.2"), "a second step stays one")
    }

    @Test("Every queue has its series before anything happens, and counts in them what happens")
    func metrics() {
        let registry = MetricsRegistry()
        let metrics = QueueMetrics(registry, logger: RecordedLog(.info).logger)
        for queue in QueueName.allCases {
            #expect(registry.text.contains("signet_queue_depth{queue=\"\(queue.rawValue)\"} 0\n"))
            for reason in QueueShedReason.allCases {
                let labels = "queue=\"\(queue.rawValue)\",reason=\"\(reason.rawValue)\""
                #expect(registry.text.contains("signet_queue_shed_total{\(labels)} 0\n"))
            }
        }
        metrics.depth(3, of: .commits)
        metrics.waited(.milliseconds(20), in: .commits)
        metrics.shed(.deadline, from: .commits)
        #expect(registry.text.contains("signet_queue_depth{queue=\"commits\"} 3\n"))
        #expect(registry.text.contains("signet_queue_wait_seconds_bucket{queue=\"commits\",le=\"0.025\"} 1\n"))
        #expect(registry.text.contains("signet_queue_shed_total{queue=\"commits\",reason=\"deadline\"} 1\n"))
    }

    @Test("A queue that begins to shed is a warning in the log, and its end a notice with the number")
    func changes() {
        let log = RecordedLog(.info)
        let metrics = QueueMetrics(MetricsRegistry(), logger: log.logger)
        metrics.changed(.began, of: .passwords)
        metrics.changed(.ended(count: 7), of: .passwords)
        #expect(log.entries.map(\.message) == ["overloaded: refusing", "no longer overloaded"])
        #expect(log.entries.map { $0.metadata["queue"] } == ["passwords", "passwords"])
        #expect(log.entries.last?.metadata["refused"] == "7")
    }
}
