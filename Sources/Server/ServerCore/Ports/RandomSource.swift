/// Makes bytes that attackers cannot predict.
package protocol RandomSource: Sendable {
    /// Exactly `count` fresh bytes.
    func bytes(count: Int) -> [UInt8]
}
