import BackendAPI
import FoundationEssentials
import Metrics
import Synchronization
import UAF

/// The metrics of answered requests; each series is made once and then only counted up.
final class RequestMetrics: Sendable {
    private struct Series: Hashable {
        let endpoint: String
        let code: Int
    }

    private struct Known {
        var requests: [Series: Counter] = [:]
        var durations: [String: Timer] = [:]
        var answers: [Series: Counter] = [:]
    }

    private let factory: any MetricsFactory
    private let known = Mutex(Known())
    private let lastSignIn: Meter

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        lastSignIn = Meter(label: "signet_last_sign_in_seconds", factory: factory)
    }

    /// Counts a request and the time it took; both labels come from fixed lists.
    func count(endpoint: String, status: Int, nanoseconds: Int64) {
        let (counter, timer) = known.withLock { known in
            let series = Series(endpoint: endpoint, code: status)
            let counter = known.requests[series] ?? makeCounter("signet_http_requests_total", series, "status")
            let timer =
                known.durations[endpoint]
                ?? Timer(
                    label: "signet_http_request_seconds", dimensions: [("endpoint", endpoint)], factory: factory)
            known.requests[series] = counter
            known.durations[endpoint] = timer
            return (counter, timer)
        }
        counter.increment()
        timer.recordNanoseconds(nanoseconds)
    }

    /// Counts an answer with a UAF status code; of an accepted sign-in it keeps the time.
    func count(endpoint: String, statusCode: Int) {
        if statusCode == StatusCode.ok.rawValue, endpoint == Endpoint.authenticationResponse.path {
            lastSignIn.set(Date.now.timeIntervalSince1970)
        }
        let counter = known.withLock { known in
            let series = Series(endpoint: endpoint, code: statusCode)
            let counter = known.answers[series] ?? makeCounter("signet_uaf_status_total", series, "code")
            known.answers[series] = counter
            return counter
        }
        counter.increment()
    }

    private func makeCounter(_ label: String, _ series: Series, _ name: String) -> Counter {
        Counter(
            label: label, dimensions: [("endpoint", series.endpoint), (name, String(series.code))], factory: factory)
    }
}
