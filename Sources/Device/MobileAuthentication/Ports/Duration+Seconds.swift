import Foundation

extension Duration {
    /// A time that an application has set, in seconds: at most a day, and none for what is no number.
    init(bounded seconds: TimeInterval) {
        self = .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 86_400))
    }
}
