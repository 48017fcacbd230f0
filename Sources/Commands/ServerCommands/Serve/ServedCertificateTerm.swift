import CommandSupport
import FoundationEssentials

/// Time for which a certificate that is served is still good.
struct ServedCertificateTerm: Sendable {
    /// Listeners with a certificate, as metrics name them.
    enum Listener: String, Sendable, CaseIterable {
        /// Listeners for phones and applications, for health and metrics, and for administrators.
        case service, management, administration
    }

    enum State: Hashable {
        case good
        /// It should have been renewed.
        case endsSoon
        case ended
    }

    /// Time before its end at which a certificate should have been renewed; certificates of 90 days are renewed at 30.
    private static let notice: TimeInterval = 21 * day
    private static let day: TimeInterval = 86_400

    let listener: Listener
    /// Whether the server issues it for itself.
    let isOwn: Bool
    /// Last moment at which the certificate, and every one that is sent with it, is valid.
    let end: Date
    private let begin: Date

    /// Reads the certificates of a chain in PEM form; nil when there is none that can be read.
    init?(of chainPEM: String, at listener: Listener, isOwn: Bool) {
        guard let review = try? CertificateReview(chainPEM: chainPEM, host: nil, now: Date.now) else { return nil }
        self.listener = listener
        self.isOwn = isOwn
        end = review.chainNotValidAfter
        begin = review.notValidBefore
    }

    /// State at a moment; of a certificate that is valid for a few weeks only the last third counts as its end.
    func state(at now: Date) -> State {
        let left = end.timeIntervalSince(now)
        if left < 0 { return .ended }
        return left < min(Self.notice, end.timeIntervalSince(begin) / 3) ? .endsSoon : .good
    }

    func warning(at now: Date) -> String? {
        let day = end.formatted(.iso8601.year().month().day())
        return switch state(at: now) {
        case .good: nil
        case .endsSoon:
            "the certificate of the \(listener.rawValue) listener, or one sent with it, ends in \(days(until: end, from: now)) "
                + "(\(day)): \(remedy)"
        case .ended:
            "the certificate of the \(listener.rawValue) listener, or one sent with it, ended \(days(until: now, from: end)) ago "
                + "(\(day)), and clients refuse it: \(remedy)"
        }
    }

    private var remedy: String {
        isOwn
            ? "send the server SIGHUP, which makes a new one" : "renew it; the server takes new files up while it runs"
    }

    private func days(until end: Date, from begin: Date) -> String {
        let count = Int(end.timeIntervalSince(begin) / Self.day)
        return count == 1 ? "1 day" : "\(count) days"
    }
}
