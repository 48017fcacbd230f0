/// Makes bytes that attackers cannot predict.
package protocol RandomSource: Sendable {
    func bytes(count: Int) -> [UInt8]
}
