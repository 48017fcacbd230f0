/// What came of a request that the device signed.
enum DeviceAnswer<Body> {
    case done(Body)
    case refused(DeviceRefusal)
}

extension DeviceAnswer: Sendable where Body: Sendable {}
