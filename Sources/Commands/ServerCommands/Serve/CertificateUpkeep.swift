import FoundationEssentials
import Logging
import ServerHTTP
import ServiceLifecycle

/// Service that says in the log when a certificate has ended or ends soon: at the start, when it changes, and once a day.
struct CertificateUpkeep: Service {
    private static let interval: Duration = .seconds(3_600)

    let certificates: ServedCertificates
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var notices = CertificateNotices()
            while !Task.isCancelled {
                for notice in notices.due(certificates.terms, at: Date.now) {
                    switch notice.state {
                    case .ended: logger.error("certificate", metadata: ["error": "\(notice.words)"])
                    case .endsSoon, .good: logger.warning("certificate", metadata: ["warning": "\(notice.words)"])
                    }
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}

/// Memory of the things that were said about each certificate, and of their times.
struct CertificateNotices {
    struct Notice: Equatable {
        let state: ServedCertificateTerm.State
        let words: String
    }

    private static let pause: TimeInterval = 86_400

    private var said: [ServedCertificateTerm.Listener: (state: ServedCertificateTerm.State, time: Date)] = [:]

    /// Notices that are new, or were last given a day ago.
    mutating func due(_ terms: [ServedCertificateTerm], at now: Date) -> [Notice] {
        terms.compactMap { term in
            let state = term.state(at: now)
            guard let words = term.warning(at: now) else {
                said[term.listener] = nil
                return nil
            }
            if let last = said[term.listener], last.state == state, now.timeIntervalSince(last.time) < Self.pause {
                return nil
            }
            said[term.listener] = (state, now)
            return Notice(state: state, words: words)
        }
    }
}

extension ServedCertificates {
    /// Writes the end of each certificate into `metrics` each time these are read.
    func report(to metrics: MetricsRegistry) {
        let certificates = self
        metrics.beforeReading { metrics in
            for term in certificates.terms {
                metrics.put(
                    term.end.timeIntervalSince1970, into: "signet_certificate_not_after_seconds", .gauge,
                    [("listener", term.listener.rawValue)])
            }
        }
    }
}
